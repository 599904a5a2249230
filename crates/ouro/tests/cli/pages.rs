//! The pages for a browser: their links, and what a browser says about them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use super::{Folder, WAITS};

/// One loop that never ends and one that does, with everything that markup could trip over.
fn pages() -> Folder {
    let text = format!("/* <script>alert('&')</script> */\n{WAITS}");
    let folder = Folder::with(&[("a&b.c", &text)]);
    let outcome = folder.ouro(&["check", "a&b.c", "--engine", "explore", "--report", "out/pages"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("open out/pages/index.html in a browser"),
        "{}",
        outcome.stderr
    );
    folder
}

fn values<'a>(text: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    text.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_link_leads_somewhere_and_nothing_is_fetched() {
    let folder = pages();
    let names = ["index.html", "001-a_b.c.html"];
    for name in names {
        let text = folder.read(&format!("out/pages/{name}"));
        assert!(!text.contains("<script"), "{name}");
        assert!(!text.contains("http://") && !text.contains("https://"), "{name} is not by itself");
        let own: BTreeSet<&str> = values(&text, "id").into_iter().collect();
        assert_eq!(own.len(), values(&text, "id").len(), "{name}: an id twice");
        let links = values(&text, "href");
        assert!(links.len() > 2, "{name}: {links:?}");
        for link in links.into_iter().filter(|link| *link != "data:,") {
            let (page, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if page.is_empty() {
                text.clone()
            } else {
                folder.read(&format!("out/pages/{page}"))
            };
            let there = values(&target, "id");
            assert!(anchor.is_empty() || there.contains(&anchor), "{name}: {link}");
        }
    }
    let page = folder.read("out/pages/001-a_b.c.html");
    for part in [
        "loops forever",
        "__VERIFIER_nondet_uint() = ",
        "<svg",
        "accepted by the checker",
        "&lt;script&gt;",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // The line of the loop is marked, and leads to its explanation.
    assert!(page.contains("<tr id=\"line-8\" class=\"marked\">"), "{page}");
}

#[test]
fn a_file_is_no_folder() {
    let folder = Folder::with(&[("waits.c", WAITS), ("pages", "")]);
    let outcome = folder.ouro(&["check", "waits.c", "--report", "pages"]);
    assert_eq!(outcome.code, Some(2));
    assert_eq!(
        outcome.stderr,
        "error: pages is a file; --report needs the name of a folder (it is created if it does not exist)\n"
    );
}

/// Opens each page in headless Chromium, if the machine has it: `scripts/setup.sh --tests` installs it.
#[test]
fn a_browser_has_no_complaint() {
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok())
    else {
        eprintln!("skipped: there is no Chromium; scripts/setup.sh --tests installs it");
        return;
    };
    let folder = pages();
    for name in ["index.html", "001-a_b.c.html"] {
        let path = folder.path(&format!("out/pages/{name}"));
        // As on a phone: nothing may be wider than the screen.
        let (log, page) = opened(browser, &path, "400,800");
        let complaints: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(complaints.is_empty(), "{name}: {complaints:?}");
        assert!(page.contains("<main id=\"main\">") && page.contains("</html>"), "{name}: {page}");
        let shot = path.with_extension("png");
        let taken = chromium(browser, "400,800")
            .arg(format!("--screenshot={}", shot.display()))
            .arg(format!("file://{}", path.display()))
            .output()
            .expect("the browser");
        assert!(taken.status.success(), "{name}: {}", String::from_utf8_lossy(&taken.stderr));
        assert!(shot.metadata().is_ok_and(|file| file.len() > 1000), "{name}: an empty picture");
    }
}

/// What the browser says, and the page as it sees it.
fn opened(browser: &str, path: &Path, size: &str) -> (String, String) {
    let output = chromium(browser, size)
        .args(["--enable-logging=stderr", "--dump-dom"])
        .arg(format!("file://{}", path.display()))
        .output()
        .expect("the browser");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stderr), text(output.stdout))
}

fn chromium(browser: &str, size: &str) -> Command {
    let mut command = Command::new(browser);
    // The pages are our own, and tests often run as root, where Chromium has no sandbox.
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
    command.arg(format!("--window-size={size}"));
    command
}
