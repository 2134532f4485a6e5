//! Engines as the command line describes them: `name=A,cmd=./a --x,tc=10+0.1,option.Hash=64`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ArenaError;

/// `base`, `base+increment` or `moves/base+increment`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Moves for each base time; `None` when it is for the whole game.
    pub moves: Option<u32>,
    /// What the clock starts with, and gains after every `moves` moves.
    pub base: Duration,
    /// What the clock gains with every move.
    pub increment: Duration,
}

/// What ends a search. At least one is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// A clock for the game.
    pub clock: Option<TimeControl>,
    /// A fixed time for each move; excludes a clock.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth of each search.
    pub depth: Option<u32>,
}

/// The language an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Universal Chinese Chess Protocol.
    Ucci,
    /// Universal Chess Interface with xiangqi moves.
    Uci,
}

/// One engine of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// Unique in the match.
    pub name: String,
    /// Program and arguments, never empty.
    pub command: Vec<String>,
    /// Where the program runs; `None` for the current directory.
    pub directory: Option<PathBuf>,
    /// `None`: found out by trying.
    pub protocol: Option<Protocol>,
    /// Whether ranks run from 1 to 10; `None`: found out from the options the engine announces.
    pub one_based: Option<bool>,
    /// Whether UCCI clocks are in milliseconds; `None`: as the engine announces.
    pub milliseconds: Option<bool>,
    /// Sent after the greeting, in this order.
    pub options: Vec<(String, String)>,
    /// What ends its searches.
    pub limits: Limits,
    /// A new process for every game.
    pub restart: bool,
}

impl EngineSpec {
    /// Reads a description. The pairs of `each` come first, so that the engine's own ones override
    /// them. A comma inside a value is written `\,`.
    ///
    /// # Errors
    /// When a key is unknown, a value has the wrong form, or name, command or limits are missing.
    pub fn parse(text: &str, each: &str) -> Result<EngineSpec, ArenaError> {
        let mut spec = EngineSpec {
            name: String::new(),
            command: Vec::new(),
            directory: None,
            protocol: None,
            one_based: None,
            milliseconds: None,
            options: Vec::new(),
            limits: Limits::default(),
            restart: false,
        };
        for (key, value) in pairs(each)?.iter().chain(&pairs(text)?) {
            spec.set(key, value)
                .map_err(|reason| config(format!("engine: {key}={value}: {reason}")))?;
        }
        if spec.command.is_empty() {
            return Err(config(format!("engine without cmd: {text}")));
        }
        if spec.name.is_empty() {
            let program = Path::new(&spec.command[0]).file_stem();
            spec.name = program.unwrap_or_default().to_string_lossy().into_owned();
        }
        if spec.limits == Limits::default() {
            return Err(config(format!("engine {}: give tc, st, nodes or depth", spec.name)));
        }
        if spec.limits.clock.is_some() && spec.limits.move_time.is_some() {
            return Err(config(format!("engine {}: give tc or st, not both", spec.name)));
        }
        spec.resolve_program();
        Ok(spec)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), &'static str> {
        match key {
            "name" => self.name = value.to_string(),
            "cmd" => self.command = shlex::split(value).ok_or("unbalanced quotes")?,
            "dir" => self.directory = Some(PathBuf::from(value)),
            "proto" => {
                self.protocol = match value {
                    "ucci" => Some(Protocol::Ucci),
                    "uci" => Some(Protocol::Uci),
                    "auto" => None,
                    _ => return Err("must be ucci, uci or auto"),
                }
            }
            "coords" => {
                self.one_based = match value {
                    "0" => Some(false),
                    "1" => Some(true),
                    "auto" => None,
                    _ => return Err("must be 0, 1 or auto"),
                }
            }
            "usemillisec" => {
                self.milliseconds = match value {
                    "auto" => None,
                    _ => Some(parse_flag(value)?),
                }
            }
            "restart" => self.restart = parse_flag(value)?,
            "tc" => self.limits.clock = Some(TimeControl::parse(value)?),
            "st" => self.limits.move_time = Some(parse_seconds(value)?),
            "nodes" => self.limits.nodes = Some(parse_positive(value)?),
            "depth" => {
                let depth = u32::try_from(parse_positive(value)?).map_err(|_| "too large")?;
                self.limits.depth = Some(depth);
            }
            _ => {
                let name = key.strip_prefix("option.").ok_or("unknown key")?;
                self.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                self.options.push((name.to_string(), value.to_string()));
            }
        }
        Ok(())
    }

    /// Makes a relative path to a program absolute: in the engine's directory if it is there, else
    /// in ours. What a relative path means to a process with another directory depends on the
    /// system.
    fn resolve_program(&mut self) {
        let program = Path::new(&self.command[0]);
        if program.is_absolute() || program.components().count() < 2 {
            return;
        }
        let within = self.directory.as_ref().map(|directory| directory.join(program));
        let found = within.filter(|path| path.exists()).unwrap_or_else(|| program.to_path_buf());
        if let Ok(path) = std::path::absolute(found) {
            self.command[0] = path.to_string_lossy().into_owned();
        }
    }
}

impl TimeControl {
    fn parse(text: &str) -> Result<TimeControl, &'static str> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves = u32::try_from(parse_positive(moves)?).map_err(|_| "too many moves")?;
                (Some(moves), rest)
            }
            None => (None, text),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (parse_seconds(base)?, parse_seconds(increment)?),
            None => (parse_seconds(rest)?, Duration::ZERO),
        };
        Ok(TimeControl { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment > Duration::ZERO {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl fmt::Display for Limits {
    /// The form of the command line, `tc=10+0.1,depth=20`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| format!("tc={clock}")),
            self.move_time.map(|time| format!("st={}", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

fn config(text: String) -> ArenaError {
    ArenaError::Config(text)
}

/// Splits `key=value,key=value`; `\,` is a comma and `\\` a backslash inside a value.
///
/// # Errors
/// When a part has no `=`.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>, ArenaError> {
    let mut parts = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ (',' | '\\'))) => {
                parts.last_mut().map(|part| part.push(next)).unwrap_or_default();
                chars.next();
            }
            (',', _) => parts.push(String::new()),
            _ => parts.last_mut().map(|part| part.push(c)).unwrap_or_default(),
        }
    }
    let split = |part: &String| match part.split_once('=') {
        Some((key, value)) => Ok((key.trim().to_string(), value.trim().to_string())),
        None => Err(config(format!("expected key=value, got {part:?}"))),
    };
    parts.iter().filter(|part| !part.trim().is_empty()).map(split).collect()
}

/// Reads a flag.
pub(super) fn parse_flag(text: &str) -> Result<bool, &'static str> {
    match text {
        "1" | "true" | "on" | "yes" => Ok(true),
        "0" | "false" | "off" | "no" => Ok(false),
        _ => Err("must be true or false"),
    }
}

fn parse_positive(text: &str) -> Result<u64, &'static str> {
    text.parse().ok().filter(|&n| n > 0).ok_or("must be a positive number")
}

/// Seconds with decimals, up to a year.
fn parse_seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = text.parse().map_err(|_| "must be seconds")?;
    if (0.0..=31_536_000.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("must be seconds between 0 and a year")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions() {
        let spec = EngineSpec::parse(
            r"name=A,cmd=engine 'b c' --d,proto=uci,coords=1,option.Path=x\,y,tc=40/10.5+0.1,restart=on",
            "option.Hash=16,option.path=z,depth=3",
        )
        .unwrap();
        assert_eq!(spec.command, ["engine", "b c", "--d"]);
        assert_eq!((spec.protocol, spec.one_based), (Some(Protocol::Uci), Some(true)));
        let options: Vec<_> = spec.options.iter().map(|(k, v)| format!("{k}={v}")).collect();
        assert_eq!(options, ["Hash=16", "Path=x,y"]);
        assert_eq!(spec.limits.to_string(), "tc=40/10.5+0.1,depth=3");
        assert!(spec.restart);
        let plain = EngineSpec::parse("cmd=/usr/bin/engine.exe,st=0.25", "").unwrap();
        assert_eq!(
            (plain.name.as_str(), plain.limits.to_string()),
            ("engine", "st=0.25".to_string())
        );
    }

    #[test]
    fn mistakes_get_one_line() {
        for (text, part) in [
            ("name=A,depth=1", "without cmd"),
            ("cmd=x", "give tc"),
            ("cmd=x,tc=1,st=1", "not both"),
            ("cmd=x,tc=a", "tc=a: must be seconds"),
            ("cmd=x,tc=0/5", "positive"),
            ("cmd=x,tc=-1", "between"),
            ("cmd=x,st=nan", "between"),
            ("cmd=x,nodes=0", "nodes=0"),
            ("cmd=x,depth=99999999999", "too large"),
            ("cmd=x,proto=cecp", "ucci, uci"),
            ("cmd='x,depth=1", "unbalanced"),
            ("cmd=x,colour=red", "unknown key"),
            ("cmd=x,depth", "key=value"),
        ] {
            let error = EngineSpec::parse(text, "").unwrap_err().to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{text}: {error}");
        }
    }
}
