//! The table of all findings.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{answer_badge, finding_anchor, frame_page};
use crate::finding::{FindingAnswer, FindingCollection, ReportFinding};
use crate::markup::escape_markup;

pub(super) fn index_page(findings: &FindingCollection, names: &BTreeMap<&str, String>) -> String {
    let mut body = "<header>\n<h1>Does it ever stop?</h1>\n".to_owned();
    let place = match findings.root.as_str() {
        "" => String::new(),
        root => format!(" about <code>{}</code>", escape_markup(root)),
    };
    let version = escape_markup(&findings.tool_version);
    let _ = writeln!(body, "<p class=\"soft\">Report of Ouro {version}{place}.</p>");
    body += "</header>\n<main id=\"main\">\n";
    body += &answer_counts_html(findings);
    body += &findings_table(findings, names);
    if !findings.skipped.is_empty() {
        body += "<h2>Files that were skipped</h2>\n<ul>\n";
        for one in &findings.skipped {
            let _ = writeln!(body, "<li>{}</li>", escape_markup(&one.text()));
        }
        body += "</ul>\n";
    }
    if !findings.notes.is_empty() {
        body += "<h2>Notes</h2>\n<ul>\n";
        for note in &findings.notes {
            let _ = writeln!(body, "<li>{}</li>", escape_markup(note));
        }
        body += "</ul>\n";
    }
    body += "<h2>What the words mean</h2>\n<dl>\n\
             <dt>terminates</dt><dd>Every run leaves it, whatever the input.</dd>\n\
             <dt>loops forever</dt><dd>For the inputs shown, it never ends.</dd>\n\
             <dt>unknown</dt><dd>Neither could be proved.</dd>\n\
             <dt>suppressed</dt><dd>Not proved; a comment in the source says why it terminates.</dd>\n\
             </dl>\n\
             <p>Every <em>terminates</em> and every <em>loops forever</em> has a certificate that an independent checker has accepted.</p>\n</main>\n";
    frame_page("Ouro: does it ever stop?", &body)
}

fn answer_counts_html(findings: &FindingCollection) -> String {
    let mut out = "<ul class=\"counts\" aria-label=\"How many\">\n".to_owned();
    for answer in FindingAnswer::ALL {
        let count = findings.findings.iter().filter(|one| one.verdict == answer).count();
        let expected = matches!(
            answer,
            FindingAnswer::Loops | FindingAnswer::Unknown | FindingAnswer::Terminates
        );
        if count > 0 || expected {
            let word = match answer {
                FindingAnswer::Loops => "loop forever",
                FindingAnswer::Violated => "violated",
                FindingAnswer::Unknown => "unknown",
                FindingAnswer::Terminates => "terminate",
                FindingAnswer::Holds => "hold",
            };
            let _ = writeln!(out, "<li><b>{count}</b> {word}</li>");
        }
    }
    out + "</ul>\n"
}

fn findings_table(findings: &FindingCollection, names: &BTreeMap<&str, String>) -> String {
    let mut out = "<h2>Loops</h2>\n".to_owned();
    if findings.findings.is_empty() {
        return out + "<p>There are no loops and no recursion.</p>\n";
    }
    out += "<table class=\"cards\">\n<caption>Worst first. Each location links to its \
            explanation.</caption>\n\
            <thead><tr><th scope=\"col\">Verdict</th><th scope=\"col\">Place</th>\
            <th scope=\"col\">Function</th><th scope=\"col\">What</th><th scope=\"col\">Why</th></tr></thead>\n\
            <tbody>\n";
    let mut all: Vec<(usize, &ReportFinding)> = findings.findings.iter().enumerate().collect();
    let badness = |one: &ReportFinding| {
        let place = FindingAnswer::ALL.iter().position(|answer| *answer == one.verdict);
        (one.suppressed.is_some(), place)
    };
    all.sort_by_key(|(number, one)| (badness(one), *number));
    for (number, finding) in all {
        let page = names.get(finding.file.as_str()).map_or("", String::as_str);
        let why = finding.reason.as_ref().or(finding.argument.as_ref());
        let _ = writeln!(
            out,
            "<tr><td data-label=\"Verdict\">{}</td><td data-label=\"Place\">\
             <a href=\"{page}#{}\">{}:{}</a></td><td data-label=\"Function\"><code>{}</code></td>\
             <td data-label=\"What\">{}</td><td data-label=\"Why\">{}</td></tr>",
            answer_badge(finding),
            finding_anchor(number),
            escape_markup(&finding.file),
            finding.line,
            escape_markup(&finding.function),
            finding.kind.word(),
            escape_markup(&shorten_text(why.map_or("", String::as_str))),
        );
    }
    out + "</tbody>\n</table>\n"
}

/// The page of the finding has the rest.
fn shorten_text(text: &str) -> String {
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
