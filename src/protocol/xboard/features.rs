//! What the engine can do, in the words of `feature`.

use std::fmt::Write;

use crate::engine::options::{Kind, OptionId, Spec, all};
use crate::protocol::ucci::version;

/// Options that have a command of their own here, or no meaning.
const ELSEWHERE: [OptionId; 10] = [
    OptionId::Hash,
    OptionId::Threads,
    OptionId::Ponder,
    OptionId::Coordinates,
    OptionId::Variant,
    OptionId::UseMillisec,
    OptionId::Batch,
    OptionId::ShowWdl,
    OptionId::Debug,
    OptionId::NewGame,
];

/// The answer to `protover`: the interface waits for the last line.
pub(super) fn features() -> String {
    let mut text = format!(
        "feature done=0\n\
         feature myname=\"Chuhe {}\" variants=\"xiangqi\" setboard=1 usermove=1 ping=1 playother=1 \
         draw=1 time=1 analyze=1 memory=1 smp=1 debug=1 reuse=1 colors=0 name=0 ics=0 san=0 \
         sigint=0 sigterm=0 nps=0\n",
        version()
    );
    for spec in all().filter(|spec| spec.in_uci || spec.in_ucci) {
        if !ELSEWHERE.contains(&spec.id) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "feature option=\"{}\"", option(spec));
        }
    }
    text + "feature done=1"
}

fn option(spec: &Spec) -> String {
    let name = spec.name;
    match spec.kind {
        Kind::Button => format!("{name} -button"),
        Kind::File => format!("{name} -file {}", spec.file_default()),
        Kind::Check(on) => format!("{name} -check {}", u8::from(on)),
        Kind::Spin { default, min, max } => format!("{name} -spin {default} {min} {max}"),
        Kind::Combo { default, choices } => {
            let list: Vec<String> = choices
                .iter()
                .enumerate()
                // The star marks the choice in force.
                .map(|(index, choice)| {
                    format!("{}{}", if index == default { "*" } else { "" }, choice.name)
                })
                .collect();
            format!("{name} -combo {}", list.join(" /// "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_well_formed() {
        let text = features();
        assert!(text.starts_with("feature done=0\n") && text.ends_with("\nfeature done=1"));
        assert!(text.contains("variants=\"xiangqi\""));
        assert!(text.contains("\nfeature option=\"MultiPV -spin 1 1 128\"\n"));
        assert!(text.contains("Repetition Rule -combo *AsianRule /// ChineseRule"));
        assert!(!text.contains("Hash -spin") && !text.contains("Threads"));
        for line in text.lines() {
            assert!(line.starts_with("feature ") && line.matches('"').count() % 2 == 0, "{line}");
        }
    }
}
