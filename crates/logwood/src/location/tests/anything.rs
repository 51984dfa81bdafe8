//! What holds for any input: no panic, and no name that leads elsewhere.

use std::path::Path;

use proptest::prelude::*;

use super::super::*;

/// Text made of what paths are made of, and of anything.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("/".to_owned()),
        Just("\\".to_owned()),
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just("~".to_owned()),
        Just("C:".to_owned()),
        Just("海".to_owned()),
        Just("_".to_owned()),
        "[a-z]{1,40}",
        any::<String>(),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn a_folder_name_is_one_name_that_fits(cwd in text()) {
        let name = encode_cwd(&cwd);
        prop_assert!(name.len() <= 255 && !name.contains(['/', '\\', ':']), "{name}");
        prop_assert!(name.starts_with("--") && name.ends_with("--"), "{name}");
    }

    #[test]
    fn a_file_name_is_one_name_and_reads_back(id in text(), far in any::<bool>()) {
        let timestamp = if far { "+012024-12-03T14:00:00.000Z" } else { "2024-12-03T14:00:00.000Z" };
        if let Ok(name) = SessionFileName::new(timestamp, &id) {
            let shown = name.to_string();
            prop_assert!(shown.len() <= 255 && !shown.contains(['/', '\\', '\0']), "{shown}");
            prop_assert_eq!(SessionFileName::parse(&shown), Some(name));
        }
    }

    #[test]
    fn a_root_is_absolute_or_unset(input in text(), windows in any::<bool>()) {
        let (style, base) = if windows { (PathStyle::Windows, r"C:\b\c") } else { (PathStyle::Unix, "/b/c") };
        let root = resolve_root(input.as_ref(), Path::new(base), Some(Path::new(base)), style);
        if let Some(root) = root {
            prop_assert!(style.is_absolute(root.to_str().unwrap()), "{root:?}");
        }
    }

    #[test]
    fn a_working_directory_is_the_same_as_itself_with_a_separator(cwd in text()) {
        prop_assert!(same_cwd(&cwd, &cwd));
        prop_assert!(cwd.is_empty() || same_cwd(&cwd, &format!("{cwd}/")), "{cwd:?}");
        let key = CwdKey::new(&cwd);
        prop_assert_eq!(CwdKey::new(key.as_str()), key);
    }

    #[test]
    fn settings_of_any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let file = SettingsFile::parse(SettingsScope::Global, "/g", &bytes);
        let none = SettingsFile::absent(SettingsScope::Project, "/p");
        let _ = Settings::new(file, none).problems().iter().map(ToString::to_string).count();
    }
}
