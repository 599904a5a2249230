//! Findings as SARIF 2.1.0, the format in which code hosts and editors read what tools found.
//!
//! Results are what somebody should look at: a run that never ends, a specification that is violated, and a
//! loop that nobody could prove to end. What is proved is counted in the properties of the run and is no
//! result, because many readers show every result as an alarm.

use serde_json::{Map, Value, json};

use crate::finding::{FindingAnswer, FindingCollection, FindingPlace, ReportFinding};

/// Where the format is defined.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What file names are relative to, if the findings say it.
const ROOT: &str = "ROOT";

/// A kind of result.
struct SarifRule {
    id: &'static str,
    level: &'static str,
    short: &'static str,
    full: &'static str,
    help: &'static str,
    /// Whether it is CWE-835.
    endless: bool,
}

/// In the order of their numbers in the file.
const RULES: [SarifRule; 4] = [
    SarifRule {
        id: "loops-forever",
        level: "error",
        short: "Loops forever",
        full: "For the inputs shown, the program stays in this loop or recursion forever. An \
               independent checker has accepted the proof.",
        help: "Follow the steps to the loop and through one iteration; the state that every \
               iteration returns to shows which condition never changes.",
        endless: true,
    },
    SarifRule {
        id: "violates-specification",
        level: "error",
        short: "A run violates the specification",
        full: "For the inputs shown, the program breaks an obligation of its specification or \
               never fulfils it. An independent checker has accepted the proof.",
        help: "Follow the steps to the place where a promise is made that is never kept.",
        endless: false,
    },
    SarifRule {
        id: "termination-unknown",
        level: "note",
        short: "No termination argument found",
        full: "Ouro could neither prove that this always terminates nor find a run that loops \
               forever.",
        help: "Allow more time with --timeout, or add an explicit bound to the loop.",
        endless: false,
    },
    SarifRule {
        id: "loops-forever-after-overflow",
        level: "error",
        short: "Loops forever once a signed integer has overflowed",
        full: "For the inputs shown, a signed integer overflows, which is undefined behaviour in \
               C. If integers wrap around, as they do in most compiled code, the program then \
               stays in this loop or recursion forever. An independent checker has accepted the \
               proof.",
        help: "Bound the counter, use an unsigned or wider type for it, or use a comparison that \
               the largest value fails.",
        endless: true,
    },
];

/// The findings as one SARIF log, with a line break at its end.
pub fn sarif_log(findings: &FindingCollection) -> String {
    let results = findings.findings.iter().filter_map(|finding| result_object(findings, finding));
    let results: Vec<Value> = results.collect();
    let mut run = json!({
        "tool": { "driver": {
            "name": "Ouro",
            "version": findings.tool_version,
            "semanticVersion": findings.tool_version,
            "shortDescription": { "text": "Proves that a C program terminates or loops forever" },
            "rules": RULES.iter().map(rule_object).collect::<Vec<Value>>(),
            "supportedTaxonomies": [{ "name": "CWE", "index": 0 }],
        } },
        "taxonomies": [{
            "name": "CWE",
            "organization": "MITRE",
            "shortDescription": { "text": "The MITRE Common Weakness Enumeration" },
            "taxa": [{
                "id": "835",
                "name": "Loop with Unreachable Exit Condition ('Infinite Loop')",
                "helpUri": "https://cwe.mitre.org/data/definitions/835.html",
            }],
        }],
        "columnKind": "unicodeCodePoints",
        "invocations": [{
            "executionSuccessful": findings.skipped.is_empty(),
            "toolExecutionNotifications": tool_notifications(findings),
        }],
        "results": results,
        "properties": { "counts": answer_counts(findings) },
    });
    if !findings.root.is_empty() {
        let mut uri = path_uri(&findings.root);
        if !uri.ends_with('/') {
            uri.push('/');
        }
        run["originalUriBaseIds"] = json!({ ROOT: { "uri": uri } });
    }
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
    format!("{log:#}\n")
}

/// What happened to the tool: files that it could not look at, and notes.
fn tool_notifications(findings: &FindingCollection) -> Vec<Value> {
    let skipped = findings.skipped.iter().map(|one| {
        let place =
            FindingPlace { file: one.file.clone(), line: 0, column: 0, text: String::new() };
        json!({
            "level": "error",
            "message": { "text": one.text() },
            "locations": [location_object(findings, &place, "")],
        })
    });
    let notes = findings.notes.iter();
    skipped
        .chain(notes.map(|note| json!({ "level": "note", "message": { "text": note } })))
        .collect()
}

/// How many findings have each answer.
fn answer_counts(findings: &FindingCollection) -> Map<String, Value> {
    let count = |answer| findings.findings.iter().filter(|one| one.verdict == answer).count();
    let all = FindingAnswer::ALL
        .into_iter()
        .map(|answer| (answer.word().to_owned(), count(answer).into()));
    all.collect()
}

fn rule_object(rule: &SarifRule) -> Value {
    let mut value = json!({
        "id": rule.id,
        "shortDescription": { "text": rule.short },
        "fullDescription": { "text": rule.full },
        "help": { "text": rule.help },
        "defaultConfiguration": { "level": rule.level },
    });
    if rule.endless {
        value["relationships"] = json!([{
            "target": { "id": "835", "index": 0, "toolComponent": { "name": "CWE", "index": 0 } },
            "kinds": ["superset"],
        }]);
        // What code hosts look for.
        value["properties"] = json!({ "tags": ["external/cwe/cwe-835"] });
    }
    value
}

/// A result, if somebody should look at it.
fn result_object(findings: &FindingCollection, finding: &ReportFinding) -> Option<Value> {
    let index = match finding.verdict {
        FindingAnswer::Loops if finding.after_overflow.is_some() => 3,
        FindingAnswer::Loops => 0,
        FindingAnswer::Violated => 1,
        FindingAnswer::Unknown => 2,
        FindingAnswer::Terminates | FindingAnswer::Holds => return None,
    };
    let rule = &RULES[index];
    let head = FindingPlace {
        file: finding.file.clone(),
        line: finding.line,
        column: finding.column,
        text: String::new(),
    };
    let mut value = json!({
        "ruleId": rule.id,
        "ruleIndex": index,
        "level": rule.level,
        "message": { "text": finding_message(finding) },
        "locations": [location_object(findings, &head, &finding.function)],
        "partialFingerprints": {
            "ouroLoop/v1": finding.fingerprint,
            // The name under which code hosts look for one; the number tells equal ones apart.
            "primaryLocationLineHash": format!("{}:1", finding.fingerprint),
        },
        "properties": {
            "verdict": finding.verdict.word(),
            "certificate": finding.certificate,
            "assumptions": finding.assumed,
            "seconds": finding.seconds,
        },
    });
    if rule.endless {
        value["taxa"] =
            json!([{ "id": "835", "index": 0, "toolComponent": { "name": "CWE", "index": 0 } }]);
    }
    let steps = step_locations(findings, finding);
    if !steps.is_empty() {
        value["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    if let Some(reason) = &finding.suppressed {
        let accepted = json!({ "kind": "inSource", "status": "accepted", "justification": reason });
        value["suppressions"] = json!([accepted]);
    }
    Some(value)
}

/// All there is to say in a few sentences, for those who see nothing else.
fn finding_message(finding: &ReportFinding) -> String {
    let mut text = format!("In {}, {}", shown_function_name(&finding.function), finding.headline());
    if let Some(reason) = &finding.reason {
        text += &format!(": {reason}");
    }
    text.push('.');
    if let Some(argument) = &finding.argument {
        text += &format!(" Why: {argument}.");
    }
    if !finding.inputs.is_empty() {
        let shown = finding.inputs.iter().take(8).map(|input| {
            let again = if input.again { " (again and again)" } else { "" };
            format!("{} = {}{again}", input.name, input.value)
        });
        let shown: Vec<String> = shown.collect();
        let more = finding.inputs.len() - shown.len();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        text += &format!(" Inputs: {}{more}.", shown.join(", "));
    }
    for assumption in &finding.assumed {
        text += &format!(" Assumed: {assumption}.");
    }
    text
}

fn shown_function_name(function: &str) -> &str {
    if function.is_empty() { "the program" } else { function }
}

/// The way to the loop and one iteration of it.
fn step_locations(findings: &FindingCollection, finding: &ReportFinding) -> Vec<Value> {
    let stem = finding.stem.iter().map(|place| (place, "on the way to the loop"));
    let cycle = finding.cycle.iter().map(|place| (place, "in every iteration"));
    let step = |(number, (place, when)): (usize, (&FindingPlace, &str))| {
        let mut at = location_object(findings, place, "");
        at["message"] = json!({ "text": format!("{when}: {}", place.text) });
        json!({ "location": at, "executionOrder": number + 1 })
    };
    stem.chain(cycle).enumerate().map(step).collect()
}

fn location_object(findings: &FindingCollection, place: &FindingPlace, function: &str) -> Value {
    let mut value = json!({});
    if !place.file.is_empty() {
        let mut file = json!({ "uri": path_uri(&place.file) });
        if !findings.root.is_empty() && !place.file.starts_with('/') {
            file["uriBaseId"] = json!(ROOT);
        }
        value["physicalLocation"] = json!({ "artifactLocation": file });
        if place.line != 0 {
            let mut region = json!({ "startLine": place.line });
            if place.column != 0 {
                region["startColumn"] = json!(place.column);
            }
            value["physicalLocation"]["region"] = region;
        }
    }
    if !function.is_empty() {
        value["logicalLocations"] = json!([{ "name": function, "kind": "function" }]);
    }
    value
}

/// A path as a URI; a relative one stays relative.
fn path_uri(path: &str) -> String {
    let mut text = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(char::from(byte));
            }
            _ => text += &format!("%{byte:02X}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::path_uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(path_uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(path_uri("/src/ü.c"), "file:///src/%C3%BC.c");
        // A colon in the first part of a relative reference would be read as a scheme.
        assert_eq!(path_uri("c:x.c"), "c%3Ax.c");
    }
}
