//! The rule sets, one file each. A new one needs its file and its name in the list below.

use super::ruleset::Definition;

macro_rules! rule_sets {
    ($default:ident $($name:ident)*) => {
        mod $default;
        $(mod $name;)*

        /// What is used unless the user chooses.
        pub(super) static DEFAULT: &Definition = &$default::SET;
        /// All sets in the order they are listed to users, the default first.
        pub(super) static ALL: &[&Definition] = &[&$default::SET $(, &$name::SET)*];
    };
}

rule_sets! {
    wxf computer cxa ucci cxq club120 hk4 prc4 threecheck checkonly alwaysdraw
}
