//! Finds the files that clients name.

use std::path::{Path, PathBuf};

/// The file named in an option. A relative path is tried beside the executable first, then in the
/// current directory, as clients start engines anywhere; quotes around it do not matter.
pub(super) fn locate(name: &str) -> PathBuf {
    let name = name.trim();
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent).map(|directory| directory.join(name));
    beside.filter(|path| !name.is_empty() && path.is_file()).unwrap_or_else(|| PathBuf::from(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_blanks_do_not_matter() {
        for name in ["a b.dat", " a b.dat ", "\"a b.dat\"", " \"a b.dat\" "] {
            assert_eq!(locate(name), Path::new("a b.dat"), "{name:?}");
        }
        assert_eq!(locate("\""), Path::new("\""));
        assert_eq!(locate("\"\""), Path::new(""));
    }

    #[test]
    fn files_beside_the_program_come_first() {
        let program = std::env::current_exe().unwrap();
        let name = program.file_name().unwrap().to_str().unwrap();
        assert_eq!(locate(name), program);
    }
}
