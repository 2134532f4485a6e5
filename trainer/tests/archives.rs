//! Both formats of game archives give the same training set.

use std::path::PathBuf;

use chuhe_trainer::data::Data;

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/data/archives").join(name)
}

#[test]
fn both_formats_give_the_same_positions() {
    let load = |name: &str, seed: u64| Data::load(&[golden(name)], seed);
    // of forty games some seeds keep none for validation
    let seed = (0..100).find(|&seed| load("golden.xgr1", seed).is_ok()).expect("a seed");
    let plain = load("golden.xgr1", seed).expect("positions");
    let compact = load("golden.xgr2", seed).expect("positions");
    assert_eq!((plain.games, compact.games), (40, 40));
    assert!(plain.train.len() > 300, "{}", plain.train.len());
    assert_eq!(plain.fingerprint, compact.fingerprint);
    assert_eq!(plain.train, compact.train);
    assert_eq!(plain.validation, compact.validation);
    // mixed, the newest label of each position is kept
    let both = Data::load(&[golden("golden.xgr1"), golden("golden.xgr2")], seed);
    let both = both.expect("positions");
    assert_eq!(both.games, 80);
    let count = |data: &Data| data.train.len() + data.validation.len();
    assert_eq!(count(&both), count(&plain));
}
