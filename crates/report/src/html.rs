//! Findings as pages for a browser: a table of all loops, and for each file its findings and its source.
//!
//! The pages need nothing but themselves: no network, no script, no font. Everything that can be opened is a
//! link or a `details` element, so a keyboard is enough; on a narrow screen the rows of the table become cards.
//!
//! | file | one idea |
//! | --- | --- |
//! | `html/index` | the table of all findings |
//! | `html/page` | one file: its findings, then its source |
//! | `html/picture` | the run or the argument, drawn |
//! | `html/style.css` | how it looks |

mod index;
mod page;
mod picture;

use std::collections::{BTreeMap, BTreeSet};

use crate::SourceTexts;
use crate::finding::{FindingCollection, ReportFinding};
use crate::markup::escape_markup;

/// The pages: relative names, and texts. `index.html` is the first.
pub fn html_pages(findings: &FindingCollection, sources: &SourceTexts) -> Vec<(String, String)> {
    let mut by_file: BTreeMap<&str, Vec<(usize, &ReportFinding)>> = BTreeMap::new();
    for (number, finding) in findings.findings.iter().enumerate() {
        by_file.entry(&finding.file).or_default().push((number, finding));
    }
    let names = page_names(&by_file.keys().copied().collect());
    let mut pages = vec![("index.html".to_owned(), index::index_page(findings, &names))];
    for (file, found) in &by_file {
        let text = sources.get(*file).map(String::as_str);
        pages.push((names[*file].clone(), page::file_page(file, found, text, &names)));
    }
    pages
}

/// The page of each file: a number makes it unique, the file's own name makes it readable.
fn page_names<'a>(files: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    let name = |(number, file): (usize, &&'a str)| {
        let base = file.rsplit('/').next().unwrap_or("");
        let safe = |c: char| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' };
        let base: String = base.chars().map(safe).collect();
        (*file, format!("{:03}-{base}.html", number + 1))
    };
    files.iter().enumerate().map(name).collect()
}

/// A whole page around its body.
fn frame_page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the content</a>\n{body}</body>\n</html>\n",
        escape_markup(title),
        include_str!("html/style.css")
    )
}

/// The verdict as a coloured word. The word is there too, for those who see no colours.
fn answer_badge(finding: &ReportFinding) -> String {
    let (class, word) = match (finding.verdict, &finding.suppressed) {
        (answer, Some(_)) if !answer.is_good() => ("suppressed", "suppressed"),
        (answer, _) if answer.is_bad() => ("bad", answer.phrase()),
        (answer, _) if answer.is_good() => ("good", answer.phrase()),
        (answer, _) => ("open", answer.phrase()),
    };
    format!("<span class=\"badge {class}\">{word}</span>")
}

/// The name of a finding inside its page.
fn finding_anchor(number: usize) -> String {
    format!("finding-{}", number + 1)
}
