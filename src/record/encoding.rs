//! Bytes of a game record to text: UTF-8, UTF-16 with a mark, GBK or Big5.

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8};

/// Decodes a text file. A byte-order mark decides; else valid UTF-8 is UTF-8; else the bytes are
/// GB18030 (which includes GBK) or Big5, whichever makes more written moves of them. Bytes that fit
/// nothing become U+FFFD; control characters other than newline and tab are dropped, and line ends
/// become `\n`.
pub fn decode(bytes: &[u8]) -> String {
    let text = if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        encoding.decode(bytes).0
    } else if std::str::from_utf8(bytes).is_ok() {
        UTF_8.decode_without_bom_handling(bytes).0
    } else {
        let gbk = GB18030.decode_without_bom_handling(bytes).0;
        let big5 = BIG5.decode_without_bom_handling(bytes).0;
        // On a tie GBK wins: nearly all files are from the mainland.
        if rank(&big5) > rank(&gbk) { big5 } else { gbk }
    };
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                if chars.peek() != Some(&'\n') {
                    clean.push('\n');
                }
            }
            '\n' | '\t' => clean.push(c),
            c if c.is_control() => {}
            c => clean.push(c),
        }
    }
    clean
}

/// How much a decoding looks like Chinese moves: first the number of `digit direction digit`
/// groups, then the absence of undecodable bytes.
fn rank(text: &str) -> (usize, std::cmp::Reverse<usize>) {
    let chars: Vec<char> = text.chars().collect();
    let groups = chars.windows(3).filter(|three| {
        is_digit(three[0])
            && "\u{8fdb}\u{9032}\u{9000}\u{5e73}".contains(three[1])
            && is_digit(three[2])
    });
    (groups.count(), std::cmp::Reverse(chars.iter().filter(|&&c| c == '\u{fffd}').count()))
}

/// `1`, `一` or `１`.
fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('\u{ff11}'..='\u{ff19}').contains(&c) || "一二三四五六七八九".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_apart() {
        let text = "1. 炮二平五 馬８進７\n";
        assert_eq!(decode(text.as_bytes()), text);
        assert_eq!(decode(format!("\u{feff}{text}").as_bytes()), text);
        assert_eq!(decode(&GB18030.encode(text).0), text);
        // Full-width digits are not in the Big5 table under these code points; ASCII ones are.
        let text = "1. 炮二平五 馬8進7\n";
        assert_eq!(decode(&BIG5.encode(text).0), text);
        let utf16: Vec<u8> =
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&utf16), text);
    }

    #[test]
    fn line_ends_and_control_characters() {
        assert_eq!(decode(b"a\r\nb\rc\x00\x07\td\n\r\n"), "a\nb\nc\td\n\n");
    }
}
