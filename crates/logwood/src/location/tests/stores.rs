//! Which stores are looked at (rules L1 to L4 and L11 to L13; spec 3.1, design section 4).

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::super::*;

fn environment(variables: &[(&str, &str)]) -> Environment {
    let variables = variables.iter().map(|(name, value)| (name.into(), value.into()));
    Environment::new(Some("/home/ana".into()), variables.collect::<Vec<_>>())
        .with_style(PathStyle::Unix)
}

/// Name, path and kind of each store.
fn rows(environment: &Environment, dirs: &[&str]) -> Vec<(String, String, StoreKind)> {
    let dirs: Vec<OsString> = dirs.iter().map(OsString::from).collect();
    environment
        .stores(&dirs, Path::new("/proj"))
        .into_iter()
        .map(|store| (store.name, store.dir.path().to_str().unwrap().to_owned(), store.dir.kind()))
        .collect()
}

#[track_caller]
fn check(variables: &[(&str, &str)], dirs: &[&str], expected: &[(&str, &str, StoreKind)]) {
    let found = rows(&environment(variables), dirs);
    let found: Vec<_> = found.iter().map(|(name, path, kind)| (&**name, &**path, *kind)).collect();
    assert_eq!(found, expected);
}

const DREB: (&str, &str, StoreKind) = ("dreb", "/home/ana/.dreb/agent", StoreKind::Dreb);
const PI: (&str, &str, StoreKind) = ("pi", "/home/ana/.pi/agent", StoreKind::Pi);
const OMP: (&str, &str, StoreKind) = ("oh-my-pi", "/home/ana/.omp/agent", StoreKind::OhMyPi);

#[test]
fn without_anything_said_all_three_are_looked_for() {
    check(&[], &[], &[DREB, PI, OMP]);
    check(&[("LOGWOOD_AGENT_DIR", ""), ("DREB_CODING_AGENT_DIR", "")], &[], &[DREB, PI, OMP]);
    check(&[("LOGWOOD_AGENT_DIR", " : ")], &[" "], &[DREB, PI, OMP]);
}

/// Spec 3.1.
#[test]
fn the_variable_of_dreb() {
    for (value, path) in [
        ("~", "/home/ana"),
        ("~/a/../b", "/home/ana/a/../b"),
        ("~//x", "/home/ana/x"),
        ("/x/y/", "/x/y/"),
        ("rel/dir", "rel/dir"),
        ("~user", "~user"),
        ("~\\x", "~\\x"),
    ] {
        let dir = environment(&[("DREB_CODING_AGENT_DIR", value)]).dreb_dir().unwrap();
        assert_eq!(dir.path(), Path::new(path), "{value:?}");
    }
}

#[test]
fn without_a_home_only_named_directories_are_known() {
    let bare = |variables: &[(&str, &str)]| {
        let variables: Vec<(OsString, OsString)> =
            variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
        Environment::new(None, variables).with_style(PathStyle::Unix)
    };
    assert_eq!(bare(&[]).stores(&[], Path::new("/")), []);
    let asked = bare(&[("DREB_CODING_AGENT_DIR", "/d")]).stores(&["~/x".into()], Path::new("/"));
    let paths: Vec<_> = asked.iter().map(|store| store.dir.path()).collect();
    assert_eq!(paths, [Path::new("~/x")], "nothing else stands in for what was asked for");
    assert_eq!(bare(&[]).dreb_dir(), None);
    assert_eq!(bare(&[("DREB_CODING_AGENT_DIR", "~/x")]).dreb_dir(), None);
    let named = bare(&[("DREB_CODING_AGENT_DIR", "/d")]);
    assert_eq!(named.dreb_dir().unwrap().path(), Path::new("/d"));
    assert_eq!(named.one_store(&[], Path::new("/")).unwrap().dir.path(), Path::new("/d"));
    let pi = bare(&[("PI_CODING_AGENT_DIR", "/p")]);
    assert_eq!(pi.stores(&[], Path::new("/")).len(), 1);
    assert_eq!(pi.one_store(&[], Path::new("/")), None, "pi's store does not stand in for dreb's");
}

#[test]
fn what_is_asked_for_replaces_what_is_looked_for() {
    let expected =
        [("copy", "/mnt/copy/.pi/agent", StoreKind::Pi), ("b", "/proj/b", StoreKind::Dreb)];
    check(&[("LOGWOOD_AGENT_DIR", "/other")], &["/mnt/copy/.pi/agent", "b"], &expected);
    check(&[("LOGWOOD_AGENT_DIR", "/mnt/copy/.pi/agent::b:")], &[], &expected);
    check(&[], &["~/x", "/home/ana/x"], &[("x", "/home/ana/x", StoreKind::Dreb)]);
}

#[test]
fn a_windows_list_is_cut_at_semicolons() {
    let list = environment(&[("LOGWOOD_AGENT_DIR", r"C:\a;D:\b")]).with_style(PathStyle::Windows);
    let paths: Vec<_> = rows(&list, &[]).into_iter().map(|(_, path, _)| path).collect();
    assert_eq!(paths, [r"C:\a", r"D:\b"]);
}

#[test]
fn a_list_that_is_not_unicode_is_cut_too() {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let value = OsString::from_vec(b"/a\xff:/b".to_vec());
        let environment = Environment::new(None, [("LOGWOOD_AGENT_DIR".into(), value)]);
        assert_eq!(environment.stores(&[], Path::new("/")).len(), 2);
    }
}

#[test]
fn names_are_told_apart() {
    let dirs = ["/l/.dreb/agent", "/x/l/.pi/agent", "/y/l/agent", "/.omp/agent", "/"];
    let names: Vec<_> = rows(&environment(&[]), &dirs).into_iter().map(|row| row.0).collect();
    assert_eq!(names, ["l", "l#2", "l#3", "oh-my-pi", "dreb"]);
}

#[test]
fn a_directory_that_is_asked_for_is_of_its_programs_kind() {
    let variables = [("PI_CODING_AGENT_DIR", "/srv/pi-home")];
    let kind = |dir: &str| rows(&environment(&variables), &[dir])[0].2;
    assert_eq!(kind("/srv/pi-home"), StoreKind::Pi);
    assert_eq!(kind("/mnt/.omp/agent"), StoreKind::OhMyPi);
    assert_eq!(kind("/mnt/.pi/.dreb/agent"), StoreKind::Dreb);
    assert_eq!(kind("/mnt/agent"), StoreKind::Dreb);
}

#[test]
fn pi_is_found_by_its_variables() {
    check(
        &[("PI_CODING_AGENT_DIR", "~/pi"), ("PI_CODING_AGENT_SESSION_DIR", "~/flat")],
        &[],
        &[DREB, ("pi", "/home/ana/pi", StoreKind::Pi), OMP],
    );
    let environment = environment(&[("PI_CODING_AGENT_SESSION_DIR", "~/flat")]);
    let stores = environment.stores(&[], Path::new("/"));
    let variables: Vec<_> = stores.iter().map(|store| store.session_dir_variable.clone()).collect();
    assert_eq!(variables, [None, Some("~/flat".into()), None]);
}

/// Issue 3: blank is unset for each root.
#[test]
fn a_blank_variable_counts_as_unset() {
    for blank in ["", " ", "\t\u{a0}"] {
        let names = ["DREB_CODING_AGENT_DIR", "PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"];
        let set = environment(&names.map(|name| (name, blank)));
        let stores = set.stores(&[], Path::new("/proj"));
        assert_eq!(stores, environment(&[]).stores(&[], Path::new("/proj")), "{blank:?}");
    }
}

/// Both programs read `PI_CODING_AGENT_DIR`: oh-my-pi's own directory is not listed as pi's.
#[test]
fn the_shared_variable_may_mean_oh_my_pi() {
    check(&[("PI_CODING_AGENT_DIR", "/home/ana/.omp/agent")], &[], &[DREB, PI, OMP]);
    check(
        &[("PI_CODING_AGENT_DIR", "/home/ana/.omp/profiles/work/agent")],
        &[],
        &[
            DREB,
            PI,
            ("oh-my-pi", "/home/ana/.omp/profiles/work/agent", StoreKind::OhMyPi),
            ("oh-my-pi#2", OMP.1, OMP.2),
        ],
    );
    check(
        &[("PI_CODING_AGENT_DIR", "/home/ana/cfg/agent"), ("PI_CONFIG_DIR", "cfg")],
        &[],
        &[DREB, PI, ("oh-my-pi", "/home/ana/cfg/agent", StoreKind::OhMyPi)],
    );
}

#[test]
fn oh_my_pi_has_profiles_and_a_data_directory() {
    let at = |variables: &[(&str, &str)]| -> Vec<String> {
        let rows = rows(&environment(variables), &[]);
        rows.into_iter().filter(|row| row.2 == StoreKind::OhMyPi).map(|row| row.1).collect()
    };
    let profile = "/home/ana/.omp/profiles/work/agent";
    assert_eq!(at(&[("OMP_PROFILE", " work ")]), [profile]);
    assert_eq!(at(&[("PI_PROFILE", "work")]), [profile]);
    assert_eq!(at(&[("PI_PROFILE", "work"), ("OMP_PROFILE", "")]), [OMP.1]);
    for refused in ["default", "../x", "Work", "a/b", "a.", "-a", &"a".repeat(65)] {
        assert_eq!(at(&[("OMP_PROFILE", refused)]), [OMP.1], "{refused}");
    }
    assert_eq!(at(&[("XDG_DATA_HOME", "/data")]), ["/data/omp", OMP.1]);
    assert_eq!(
        at(&[("XDG_DATA_HOME", "/data"), ("OMP_PROFILE", "work")]),
        ["/data/omp/profiles/work", profile]
    );
}

#[test]
fn who_named_a_store_is_told() {
    let origins = |variables: &[(&str, &str)], dirs: &[OsString]| -> Vec<StoreOrigin> {
        let stores = environment(variables).stores(dirs, Path::new("/"));
        stores.into_iter().map(|store| store.origin).collect()
    };
    assert_eq!(origins(&[], &[]), [StoreOrigin::Home; 3]);
    assert_eq!(origins(&[], &["/x".into()]), [StoreOrigin::Option]);
    let logwood = StoreOrigin::Variable("LOGWOOD_AGENT_DIR");
    assert_eq!(origins(&[("LOGWOOD_AGENT_DIR", "/x")], &[]), [logwood]);
    let named =
        [("DREB_CODING_AGENT_DIR", "/d"), ("PI_CODING_AGENT_DIR", "/p"), ("XDG_DATA_HOME", "/x")];
    assert_eq!(
        origins(&named, &[]),
        [
            StoreOrigin::Variable("DREB_CODING_AGENT_DIR"),
            StoreOrigin::Variable("PI_CODING_AGENT_DIR"),
            StoreOrigin::DataHome,
            StoreOrigin::Home,
        ]
    );
    assert!(logwood.is_asked_for() && StoreOrigin::Option.is_asked_for());
    assert!(
        !StoreOrigin::Home.is_asked_for()
            && !StoreOrigin::Variable("PI_CODING_AGENT_DIR").is_asked_for()
    );
}

/// Design section 4: `rpc` takes exactly one, dreb's unless told.
#[test]
fn one_store_is_drebs_unless_told() {
    let one = |variables: &[(&str, &str)], dirs: &[OsString]| -> PathBuf {
        let store = environment(variables).one_store(dirs, Path::new("/proj")).unwrap();
        store.dir.path().to_path_buf()
    };
    assert_eq!(one(&[], &[]), Path::new(DREB.1));
    assert_eq!(one(&[("PI_CODING_AGENT_DIR", "/p")], &[]), Path::new(DREB.1));
    assert_eq!(one(&[("LOGWOOD_AGENT_DIR", "/x:/y")], &[]), Path::new("/x"));
    assert_eq!(one(&[("LOGWOOD_AGENT_DIR", "/x")], &["z".into()]), Path::new("/proj/z"));
}

#[test]
fn the_standard_files() {
    let dir = AgentDir::new("/a", StoreKind::Dreb);
    assert_eq!(dir.sessions(), Path::new("/a/sessions"));
    assert_eq!(dir.session_dir("/w/x"), Path::new("/a/sessions/--w-x--"));
    assert_eq!(dir.subagent_sessions(), Path::new("/a/subagent-sessions"));
    assert_eq!(dir.performance_log(), Path::new("/a/performance.jsonl"));
    assert_eq!(dir.settings(), Some("/a/settings.json".into()));
    let project = |kind| AgentDir::new("/a", kind).project_settings(Path::new("/w"));
    assert_eq!(project(StoreKind::Dreb), Some("/w/.dreb/settings.json".into()));
    assert_eq!(project(StoreKind::Pi), Some("/w/.pi/settings.json".into()));
    assert_eq!(project(StoreKind::OhMyPi), None);
    assert_eq!(AgentDir::new("/a", StoreKind::OhMyPi).settings(), None);
}

#[test]
fn no_other_variable_is_kept() {
    let environment = environment(&[("API_KEY", "secret"), ("PI_CODING_AGENT_DIR", "/p")]);
    assert_eq!(environment.variable("API_KEY"), None);
    assert!(!format!("{environment:?}").contains("secret"));
}

#[test]
fn windows_homes_are_joined_by_windows_rules() {
    let environment =
        Environment::new(Some(r"C:\Users\ana".into()), []).with_style(PathStyle::Windows);
    let dir = environment.dreb_dir().unwrap();
    assert_eq!(dir.path().to_str(), Some(r"C:\Users\ana\.dreb\agent"));
}
