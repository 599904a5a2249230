//! Runs that never end once a signed integer has overflowed.

use super::Folder;

/// With the largest number it never ends, unless integers stop at it.
const BOUND: &str = "\
                     extern int read_number(void);
int main(void)
{
    int n = read_number();
    for (int i = 10; i <= n;)
        i *= 10;
    return 0;
}
";

/// Only an overflow ends it; with integers that wrap around it does.
const DOWN: &str = "\
                    int main(void)
{
    int i = 0;
    while (i < 5)
        i--;
    return 0;
}
";

#[test]
fn the_headline_names_the_overflow_and_the_input() {
    let folder = Folder::with(&[("bound.c", BOUND)]);
    let text = folder.ouro(&["check", "bound.c"]);
    assert_eq!((text.code, text.stderr.as_str()), (Some(1), ""));
    for part in [
        "loops forever once a signed integer has overflowed: some run of main never ends",
        "5 |     for (int i = 10; i <= n;)",
        "by the rules of C the run ends at bound.c:6 in main",
        "read_number() = 2147483647",
        "signed integers wrap around, as with gcc -fwrapv",
    ] {
        assert!(text.stdout.contains(part), "{part}: {}", text.stdout);
    }
    let object = folder.ouro(&["check", "bound.c", "--format", "json"]).json();
    assert_eq!(object["verdict"], "loops");
    assert_eq!(object["after_overflow"]["locations"][0]["line"], 6);
    assert_eq!(object["after_overflow"]["what"], "signed integer overflow");
    assert!(object["after_overflow"]["steps"].is_u64(), "{object}");
}

#[test]
fn the_certificate_is_about_integers_that_wrap_around() {
    let folder = Folder::with(&[("bound.c", BOUND)]);
    let found = folder.ouro(&[
        "check",
        "bound.c",
        "--certificate",
        "c.json",
        "--reproducer",
        "hang.c",
        "--witness",
        "w.yml",
    ]);
    assert_eq!(found.code, Some(1), "{}", found.stdout);
    let certificate: serde_json::Value =
        serde_json::from_str(&folder.read("c.json")).expect("JSON");
    assert!(certificate.to_string().contains("\"ints\":\"wrap\""), "{certificate:#}");
    assert_eq!(folder.ouro(&["verify", "c.json"]).code, Some(0));
    assert!(folder.read("hang.c").contains("gcc -fwrapv bound.c"), "{}", folder.read("hang.c"));
    // SV-COMP's witnesses are about C.
    assert!(found.stderr.contains("w.yml was not written"), "{}", found.stderr);
}

#[test]
fn other_formats_have_a_rule_and_a_message_for_it() {
    let folder = Folder::with(&[("bound.c", BOUND)]);
    let log = folder.ouro(&["check", "bound.c", "--format", "sarif"]).json();
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "loops-forever-after-overflow");
    let rule = result["ruleIndex"].as_u64().expect("a number") as usize;
    assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
    assert_eq!(result["level"], "error");
    let message = result["message"]["text"].as_str().expect("a text");
    assert!(message.contains("never ends once a signed integer has overflowed"), "{message}");
    assert!(message.contains("signed integer overflow at bound.c:6"), "{message}");
    let junit = folder.ouro(&["check", "bound.c", "--format", "junit"]);
    assert!(junit.stdout.contains("once a signed integer has overflowed"), "{}", junit.stdout);
    assert_eq!(folder.ouro(&["check", "bound.c", "--report", "pages"]).code, Some(1));
    let pages = folder.contents();
    let pages = pages.iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "html"));
    let text: Vec<u8> = pages.flat_map(|(_, page)| page.clone()).collect();
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("once a signed integer has overflowed"), "{text}");
}

/// Competitions ask by C's rules, and so does whoever says so.
#[test]
fn c_alone_is_asked_for_where_that_is_said() {
    let property = "CHECK( init(main()), LTL(F end) )\n";
    let folder = Folder::with(&[("bound.c", BOUND), ("t.prp", property)]);
    for options in [&["--ints", "c"][..], &["--prop", "t.prp"], &["--engine", "ranking"]] {
        let found = folder.ouro(&[&["check", "bound.c"], options].concat());
        assert_eq!(found.code, Some(0), "{options:?}: {}", found.stdout);
    }
    let found = folder.ouro(&["check", "bound.c", "--termcomp"]);
    assert!(found.stdout.starts_with("YES"), "{}", found.stdout);
}

#[test]
fn what_only_an_overflow_ends_is_unknown() {
    let folder = Folder::with(&[("down.c", DOWN)]);
    let found = folder.ouro(&["check", "down.c", "--format", "json"]);
    assert_eq!(found.code, Some(3), "{}", found.stdout);
    let object = found.json();
    let reason = object["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("only a signed overflow ends it"), "{reason}");
    assert!(object["after_overflow"].is_null());
}
