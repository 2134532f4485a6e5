//! `docs/conformance.md` promises; the tests that keep its promises must exist.

mod common;

use std::path::Path;

use regex::Regex;

#[test]
fn every_promise_names_tests_that_exist() {
    let text = common::read("docs/conformance.md");
    let tests = Regex::new(r"`([a-z_/]+\.rs)::([a-z0-9_]+)`").expect("a pattern");
    let programs = Regex::new(r"program `([a-z_/.]+)`").expect("a pattern");
    let mut promises = 0;
    for line in text.lines().filter(|line| Regex::new(r"^\| \d").expect("a pattern").is_match(line))
    {
        promises += 1;
        let mut kept = 0;
        for test in tests.captures_iter(line) {
            let (file, name) = (&test[1], &test[2]);
            let source = common::read(&format!("tests/{file}"));
            assert!(source.contains(&format!("fn {name}(")), "no {name} in tests/{file}");
            kept += 1;
        }
        for program in programs.captures_iter(line) {
            let path = format!("{}/tests/{}", env!("CARGO_MANIFEST_DIR"), &program[1]);
            assert!(Path::new(&path).is_file(), "no {path}");
            kept += 1;
        }
        assert!(kept > 0, "nothing keeps this promise: {line}");
    }
    assert_eq!(promises, 37);
}
