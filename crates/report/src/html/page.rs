//! One file: its findings, then its source with marks.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{answer_badge, finding_anchor, frame_page, picture};
use crate::finding::{EvidenceStatus, FindingPlace, ReportFinding};
use crate::limits::LIMITS;
use crate::markup::escape_markup;

pub(super) fn file_page(
    file: &str,
    findings: &[(usize, &ReportFinding)],
    source: Option<&str>,
    names: &BTreeMap<&str, String>,
) -> String {
    let links = PlaceLinks { file, has_source: source.is_some(), names };
    let mut body = format!(
        "<header>\n<nav aria-label=\"Pages\"><a href=\"index.html\">All findings</a></nav>\n\
         <h1><code>{}</code></h1>\n</header>\n<main id=\"main\">\n",
        escape_markup(if file.is_empty() { "no file" } else { file })
    );
    for (number, finding) in findings {
        body += &finding_section(*number, finding, &links);
    }
    body += "<h2 id=\"source\">Source</h2>\n";
    body += &match source {
        Some(text) => annotate_source(text, findings),
        None => "<p>The source of this file is not available.</p>\n".to_owned(),
    };
    body += "</main>\n";
    frame_page(&format!("Ouro: {file}"), &body)
}

/// Iterations places into links.
struct PlaceLinks<'a> {
    file: &'a str,
    has_source: bool,
    names: &'a BTreeMap<&'a str, String>,
}

impl PlaceLinks<'_> {
    fn place_link(&self, place: &FindingPlace) -> String {
        let shown = escape_markup(&format!("{}:{}", place.file, place.line));
        match self.names.get(place.file.as_str()) {
            // What was not shown has no line to go to.
            Some(_) if place.file == self.file && self.has_source && place.line > 0 => {
                format!("<a href=\"#line-{}\">{shown}</a>", place.line)
            }
            Some(page) if place.file != self.file => format!("<a href=\"{page}\">{shown}</a>"),
            _ => shown,
        }
    }

    fn step_links(&self, places: &[FindingPlace]) -> String {
        let mut out = "<ol>\n".to_owned();
        for place in places {
            let text = escape_markup(&place.text);
            let _ = writeln!(out, "<li>{} <code>{text}</code></li>", self.place_link(place));
        }
        out + "</ol>\n"
    }
}

fn finding_section(number: usize, finding: &ReportFinding, links: &PlaceLinks<'_>) -> String {
    let head = FindingPlace {
        file: finding.file.clone(),
        line: finding.line,
        column: finding.column,
        text: String::new(),
    };
    let mut out = format!(
        "<section class=\"finding\" id=\"{0}\" aria-labelledby=\"{0}-title\">\n\
         <h2 id=\"{0}-title\">{1} {2} in <code>{3}</code></h2>\n<p>{4}: {5}.</p>\n",
        finding_anchor(number),
        answer_badge(finding),
        finding.kind.word(),
        escape_markup(&finding.function),
        links.place_link(&head),
        escape_markup(&finding.headline()),
    );
    if let Some(reason) = &finding.suppressed {
        let _ = writeln!(out, "<p>Suppressed: {}</p>", escape_markup(reason));
    }
    if let Some(reason) = &finding.reason {
        let _ = writeln!(out, "<p>Reason: {}</p>", escape_markup(reason));
    }
    if let Some(argument) = &finding.argument {
        let title = match finding.verdict.is_bad() {
            true => "The states it never leaves",
            false => "Why it terminates",
        };
        let _ =
            writeln!(out, "<h3>{title}</h3>\n<p class=\"code\">{}</p>", escape_markup(argument));
    }
    out += &picture::finding_figure(finding);
    if let Some(drawn) = &finding.picture {
        let caption = "The states that the run never leaves, and its memory when it enters them.";
        let _ = writeln!(
            out,
            "<figure class=\"states\" tabindex=\"0\" aria-label=\"{caption}\">\n{drawn}\
             <figcaption>{caption}</figcaption>\n</figure>"
        );
    }
    if !finding.inputs.is_empty() {
        out += "<h3>Inputs, in this order</h3>\n<ol>\n";
        for input in finding.inputs.iter().take(LIMITS.page_inputs) {
            let again = if input.again { ", again and again" } else { "" };
            let place = match input.place.line {
                0 => String::new(),
                _ => format!(" ({}{again})", links.place_link(&input.place)),
            };
            let text = escape_markup(&format!("{} = {}", input.name, input.value));
            let _ = writeln!(out, "<li><code>{text}</code>{place}</li>");
        }
        out += "</ol>\n";
        let more = finding.inputs.len().saturating_sub(LIMITS.page_inputs);
        if more > 0 {
            let _ = writeln!(out, "<p>… and {more} more</p>");
        }
    }
    if !finding.stem.is_empty() {
        out += "<details><summary>How the run gets there</summary>\n";
        out += &links.step_links(&finding.stem);
        out += "</details>\n";
    }
    if !finding.cycle.is_empty() {
        out += "<details open><summary>One iteration</summary>\n";
        out += &links.step_links(&finding.cycle);
        out += "</details>\n";
    }
    if !finding.assumed.is_empty() {
        out += "<h3>Assumed</h3>\n<ul>\n";
        for assumption in &finding.assumed {
            let _ = writeln!(out, "<li>{}</li>", escape_markup(assumption));
        }
        out += "</ul>\n";
    }
    let certificate = match (finding.certificate.status, &finding.certificate.file) {
        (EvidenceStatus::Accepted, None) => "accepted by the checker".to_owned(),
        (EvidenceStatus::Accepted, Some(file)) => {
            let file = escape_markup(file);
            format!(
                "accepted by the checker; to check it again, run <code>ouro verify \
                 {file}</code>"
            )
        }
        (EvidenceStatus::None, _) => "none, because nothing was proved".to_owned(),
    };
    let seconds = finding.seconds;
    let _ = writeln!(
        out,
        "<p class=\"soft\">Certificate: {certificate}. {seconds:.2} s. Fingerprint {}.</p>\n</section>",
        escape_markup(&finding.fingerprint)
    );
    out
}

/// The source, with a mark beside each line that a finding is about.
fn annotate_source(text: &str, findings: &[(usize, &ReportFinding)]) -> String {
    let mut out =
        "<div class=\"source\" tabindex=\"0\" role=\"region\" aria-labelledby=\"source\">\n\
         <table class=\"code\">\n<tbody>\n"
            .to_owned();
    for (index, line) in text.lines().enumerate() {
        let here = findings.iter().filter(|(_, one)| one.line as usize == index + 1);
        let marks: String = here
            .map(|(number, one)| {
                format!("<a href=\"#{}\">{}</a> ", finding_anchor(*number), answer_badge(one))
            })
            .collect();
        let marked = if marks.is_empty() { "" } else { " class=\"marked\"" };
        let number = index + 1;
        let _ = writeln!(
            out,
            "<tr id=\"line-{number}\"{marked}><td class=\"number\">{number}</td>\
             <td>{}</td><td>{marks}</td></tr>",
            escape_markup(line)
        );
    }
    out + "</tbody>\n</table>\n</div>\n"
}
