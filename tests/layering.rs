//! The shape of the source: layers, file sizes, where `unsafe` and standard output may occur.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Longest file allowed, in lines.
const MAX_LINES: usize = 600;

/// Files in which `unsafe` may occur, each with the reason beside the block.
const UNSAFE_FILES: [&str; 6] = [
    "src/eval/nnue/simd.rs",
    "src/eval/nnue/simd_avx2.rs",
    "src/eval/nnue/simd_avx512.rs",
    "src/eval/nnue/simd_neon.rs",
    "src/tt.rs",
    "trainer/src/kernel.rs",
];

/// Modules of the top layer may use each other: `go perft` calls the counting tool.
const TOP_LAYER: u32 = 6;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files below a directory of the source tree.
fn rust_files(directory: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![root().join(directory)];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// The path below the root with forward slashes.
fn name(path: &Path) -> String {
    let relative = path.strip_prefix(root()).unwrap_or(path);
    relative.to_string_lossy().replace('\\', "/")
}

/// The code of a file: no comments, no strings, nothing from the unit tests down. Good for
/// formatted source, whose tests stand at the end and whose strings do not look like code.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a readable file");
    let body = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let comments = Regex::new(r"//[^\n]*").expect("a pattern");
    let strings = Regex::new(r#""(?:[^"\\\n]|\\.)*""#).expect("a pattern");
    comments.replace_all(&strings.replace_all(body, "\"\""), "").into_owned()
}

/// Module to layer, read from the table in the documentation of `src/lib.rs`.
fn layers() -> BTreeMap<String, u32> {
    let row = Regex::new(r"(?m)^//! \| (\d+) \| (.*) \|$").expect("a pattern");
    let module = Regex::new(r"\[`(\w+)`\]").expect("a pattern");
    let text = common::read("src/lib.rs");
    let mut layers = BTreeMap::new();
    for row in row.captures_iter(&text) {
        for module in module.captures_iter(&row[2]) {
            layers.insert(module[1].to_string(), row[1].parse().expect("a number"));
        }
    }
    for line in text.lines().filter_map(|line| line.strip_prefix("pub mod ")) {
        let module = line.trim_end_matches(';');
        assert!(layers.contains_key(module), "{module} has no layer");
    }
    assert!(layers.len() >= 13, "{layers:?}");
    layers
}

/// The modules named behind `crate::` in a piece of code, brace lists included.
fn modules_used(code: &str) -> Vec<String> {
    let path = Regex::new(r"\bcrate::(?:(\w+)|\{)").expect("a pattern");
    let word = Regex::new(r"^\s*(\w+)").expect("a pattern");
    let mut used = Vec::new();
    for found in path.captures_iter(code) {
        if let Some(module) = found.get(1) {
            used.push(module.as_str().to_string());
            continue;
        }
        // `crate::{a::b, c::{d, e}}`: the first word of each item at the outer level
        let list = &code[found.get(0).map_or(0, |whole| whole.end())..];
        let (mut depth, mut item) = (0, String::new());
        for c in list.chars() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    used.extend(word.captures(&item).map(|word| word[1].to_string()));
                    item.clear();
                    continue;
                }
                _ => {}
            }
            if depth < 0 {
                break;
            }
            item.push(c);
        }
        used.extend(word.captures(&item).map(|word| word[1].to_string()));
    }
    used
}

/// What is wrong with the use of `used` in a file of `module`.
fn edge_error(layers: &BTreeMap<String, u32>, module: &str, used: &str) -> Option<String> {
    let (Some(&own), Some(&other)) = (layers.get(module), layers.get(used)) else {
        return Some(format!("{used} is not a module of the layer table"));
    };
    let allowed = module == used || other < own || (own == TOP_LAYER && other == TOP_LAYER);
    (!allowed).then(|| format!("{module} (layer {own}) uses {used} (layer {other})"))
}

#[test]
fn modules_use_only_layers_below() {
    let layers = layers();
    let mut edges = 0;
    for path in rust_files("src") {
        let file = name(&path);
        let module = file["src/".len()..].split(['/', '.']).next().unwrap_or_default();
        if matches!(module, "lib" | "main") {
            continue;
        }
        for used in modules_used(&code(&path)) {
            assert_eq!(edge_error(&layers, module, &used), None, "{file}");
            edges += 1;
        }
    }
    assert!(edges >= 10, "{edges}");
}

#[test]
fn upward_edges_are_noticed() {
    let layers = layers();
    let code = "use crate::types::{Move, Square};\nuse crate::{\n  search::{a, b},\n  tt,\n};\n\
                fn f() { crate::engine::go() }";
    assert_eq!(modules_used(code), ["types", "search", "tt", "engine"]);
    let wrong = |module, used| edge_error(&layers, module, used).is_some();
    assert!(wrong("position", "search") && wrong("types", "attacks") && wrong("tt", "history"));
    assert!(wrong("search", "engine") && wrong("search", "nothing"));
    assert!(!wrong("search", "position") && !wrong("tt", "tt"));
    assert!(!wrong("protocol", "tools") && !wrong("tools", "protocol"));
}

#[test]
fn files_are_short() {
    let mut files = 0;
    for path in ["src", "tests", "benches", "trainer", "build.rs"].map(rust_files).iter().flatten()
    {
        let lines = fs::read_to_string(path).expect("a readable file").lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", name(path));
        files += 1;
    }
    assert!(files > 30, "{files}");
}

#[test]
fn unsafe_is_confined() {
    let word = Regex::new(r"\bunsafe\b").expect("a pattern");
    for path in ["src", "tests", "benches", "trainer"].map(rust_files).iter().flatten() {
        let file = name(path);
        let found = word.is_match(&code(path));
        assert!(!found || UNSAFE_FILES.contains(&file.as_str()), "unsafe in {file}");
    }
    for file in UNSAFE_FILES {
        assert!(root().join(file).exists(), "{file} is gone, take it off the list");
    }
}

#[test]
fn only_protocol_and_tools_print() {
    let output = Regex::new(r"\b(?:print|println|dbg)!|\bstdout\(\)").expect("a pattern");
    assert!(output.is_match("println!(\"\")") && !output.is_match("eprintln!(\"\")"));
    let mut printing = 0;
    for path in rust_files("src") {
        let file = name(&path);
        if output.is_match(&code(&path)) {
            let allowed = ["src/protocol/", "src/tools/"].iter().any(|dir| file.starts_with(dir));
            assert!(allowed, "{file} writes to standard output");
            printing += 1;
        }
    }
    assert!(printing > 0);
}
