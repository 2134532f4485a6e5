//! What every line of protocol output must look like. Clients cut lines at fixed columns, split
//! them at single blanks, copy them into fixed buffers and search them for substrings.

/// The longest line, newline included, that the XBoard adapter's buffer takes with room to spare.
pub const MAX_LINE: usize = 1900;

/// First words of lines whose layout the protocols fix; a board diagram or a perft table is free.
const PROTOCOL_WORDS: [&str; 10] = [
    "id",
    "option",
    "ucciok",
    "uciok",
    "readyok",
    "info",
    "bestmove",
    "nobestmove",
    "bye",
    "pophash",
];

/// Words that clients look for anywhere in a line, so they may stand only where they are meant.
const RESERVED: [&str; 8] =
    ["bestmove", "nobestmove", "ucciok", "uciok", "readyok", "bye", "draw", "resign"];

/// Faults of one line, given without its newline.
pub fn line_faults(line: &[u8]) -> Vec<String> {
    let mut faults = Vec::new();
    let shown = String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned();
    let mut fault = |what: &str| faults.push(format!("{what}: {shown:?}"));
    if line.is_empty() {
        fault("blank line");
    }
    if line.len() + 1 > MAX_LINE {
        fault("line too long");
    }
    if !line.is_ascii() {
        fault("not ASCII");
    }
    if line.iter().any(|&b| b.is_ascii_control()) {
        fault("control character");
    }
    let text = String::from_utf8_lossy(line);
    let first = text.split(' ').next().unwrap_or("");
    if PROTOCOL_WORDS.contains(&first) {
        if text.contains("  ") || text.ends_with(' ') {
            fault("double or trailing blank");
        }
        for what in layout_faults(&text) {
            fault(what);
        }
    }
    faults
}

fn layout_faults(text: &str) -> Vec<&'static str> {
    let words: Vec<&str> = text.split(' ').collect();
    let mut faults = Vec::new();
    match words[0] {
        "info" if matches!(words.get(1), Some(&"string" | &"message")) => {
            let reserved = RESERVED.iter().filter(|&&word| text.contains(word));
            faults.extend(reserved.map(|_| "message contains a word clients search for"));
        }
        "info" => faults.extend(info_faults(&words)),
        "id" | "option" => {
            // UCI announces options named after draws (as other engines do); UCCI must not.
            let ucci_option = words[0] == "option" && words.get(1) != Some(&"name");
            let lower = text.to_ascii_lowercase();
            let strict = ["bestmove", "nobestmove", "ucciok", "uciok", "readyok"];
            if strict.iter().any(|word| text.contains(word))
                || (ucci_option && RESERVED.iter().any(|word| lower.contains(word)))
            {
                faults.push("announcement contains a word clients search for");
            }
        }
        "bestmove" if !(words.len() >= 2 && words.len() <= 5) => {
            faults.push("bestmove with a wrong number of words");
        }
        "bestmove" if text.contains(" ponder") && words.get(2) != Some(&"ponder") => {
            faults.push("ponder move out of place");
        }
        "ucciok" | "uciok" | "readyok" | "nobestmove" | "bye" if words.len() > 1 => {
            faults.push("words after a one-word answer");
        }
        _ => {}
    }
    faults
}

fn info_faults(words: &[&str]) -> Vec<&'static str> {
    let mut faults = Vec::new();
    if words.get(1) != Some(&"depth") {
        faults.push("info line does not start with its depth");
    }
    let value = |name: &str| {
        words.iter().position(|&word| word == name).map(|at| words.get(at + 1).copied())
    };
    for name in ["depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull", "tbhits"] {
        if let Some(text) = value(name)
            && text.is_none_or(|text| text.parse::<u64>().is_err())
        {
            faults.push("a counter is not a plain number");
        }
    }
    if let Some(pv) = value("pv") {
        if pv.is_none() {
            faults.push("empty pv");
        }
        for name in ["score", "nodes", "nps", "time"] {
            if value(name).is_none() {
                faults.push("a line with a pv lacks score, nodes, nps or time");
            }
        }
    }
    if words.iter().any(|&word| word == "lowerbound" || word == "upperbound") {
        faults.push("bound line");
    }
    faults
}
