//! The order of precedence (rules L18 to L25; spec 6.7, 6.9) against a plain rule, over every combination.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::super::*;

/// What a source may say.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Says {
    Nothing,
    Null,
    Blank,
    Number,
    Dir(&'static str),
}

use Says::{Blank, Dir, Nothing, Null, Number};

impl Says {
    fn argument(self) -> Option<OsString> {
        match self {
            Dir(dir) => Some(dir.into()),
            Blank => Some(" \t".into()),
            _ => None,
        }
    }

    fn file(self, scope: SettingsScope) -> SettingsFile {
        let text = match self {
            Nothing => "{\"theme\": \"dark\"}".to_owned(),
            Null => "{\"sessionDir\": null}".to_owned(),
            Blank => "{\"sessionDir\": \"  \"}".to_owned(),
            Number => "{\"sessionDir\": 7}".to_owned(),
            Dir(dir) => format!("{{\"sessionDir\": \"{dir}\"}}"),
        };
        SettingsFile::parse(scope, "settings.json", text.as_bytes())
    }
}

/// One combination of what all sources say.
#[derive(Debug, Clone, Copy)]
struct World {
    option: Says,
    variable: Says,
    project: Says,
    global: Says,
    hook: Says,
}

impl World {
    fn every() -> Vec<Self> {
        let mut worlds = Vec::new();
        for option in [Nothing, Blank, Dir("o")] {
            for variable in [Nothing, Blank, Dir("v")] {
                for project in [Nothing, Null, Blank, Number, Dir("p")] {
                    for global in [Nothing, Null, Blank, Number, Dir("g")] {
                        for hook in [Nothing, Blank, Dir("h")] {
                            worlds.push(Self { option, variable, project, global, hook });
                        }
                    }
                }
            }
        }
        worlds
    }

    /// The rule in plain words: the first of option, variable, merged settings, hook that names a directory.
    fn expected(self) -> Option<(&'static str, RootSource)> {
        let merged = if self.project == Nothing {
            (self.global, RootSource::GlobalSettings)
        } else {
            (self.project, RootSource::ProjectSettings)
        };
        let order = [
            (self.option, RootSource::Option),
            (self.variable, RootSource::Variable),
            merged,
            (self.hook, RootSource::Hook),
        ];
        order.into_iter().find_map(|(says, source)| match says {
            Dir(dir) => Some((dir, source)),
            _ => None,
        })
    }

    fn settings(self) -> Settings {
        let global = self.global.file(SettingsScope::Global);
        Settings::new(global, self.project.file(SettingsScope::Project))
    }

    fn store(self) -> Store {
        let dir = AgentDir::new("/home/ana/.pi/agent", StoreKind::Pi);
        let store = Store::new(dir, StoreOrigin::Home);
        Store { session_dir_variable: self.variable.argument(), ..store }
    }

    /// The choice, and whether the hook was asked.
    fn choose(self) -> (RootChoice, bool) {
        let (environment, settings, store) = (environment(), self.settings(), self.store());
        let option = self.option.argument();
        let request = RootRequest {
            environment: &environment,
            store: &store,
            settings: &settings,
            base: Path::new("/proj/base"),
            cwd: "/proj/app",
            session_dir: option.as_deref(),
        };
        let mut asked = false;
        let choice = RootChoice::new(&request, |cwd| {
            assert_eq!(cwd, "/proj/app");
            asked = true;
            self.hook.argument()
        });
        (choice, asked)
    }
}

fn environment() -> Environment {
    Environment::new(Some("/home/ana".into()), []).with_style(PathStyle::Unix)
}

#[test]
fn every_combination_of_sources() {
    let worlds = World::every();
    assert_eq!(worlds.len(), 675);
    for world in worlds {
        let (choice, asked) = world.choose();
        match world.expected() {
            Some((dir, source)) => {
                assert_eq!(choice.dir(), Path::new("/proj/base").join(dir), "{world:?}");
                assert_eq!(choice.inventory().root, choice.dir(), "{world:?}");
                assert_eq!((choice.source(), choice.layout()), (source, Layout::Flat), "{world:?}");
                assert_eq!(asked, source == RootSource::Hook, "{world:?}");
                assert_eq!(choice.inventory_root(true), Some(choice.dir()), "{world:?}");
            }
            None => {
                let sessions = Path::new("/home/ana/.pi/agent/sessions");
                assert_eq!(choice.dir(), sessions.join("--proj-app--"), "{world:?}");
                assert_eq!(choice.inventory().root, sessions, "{world:?}");
                assert_eq!(choice.source(), RootSource::Default, "{world:?}");
                assert_eq!(choice.layout(), Layout::Nested, "{world:?}");
                assert!(asked, "{world:?}");
                assert_eq!(choice.inventory_root(true), None, "{world:?}");
            }
        }
        assert_eq!(choice.inventory_root(false), None, "{world:?}");
    }
}

#[test]
fn every_combination_tells_what_became_of_each_source() {
    for world in World::every() {
        let (choice, _) = world.choose();
        let rows = choice.considered();
        let chosen: Vec<_> = rows.iter().filter(|row| row.verdict == Verdict::Chosen).collect();
        assert_eq!(chosen.len(), 1, "{world:?}: {rows:?}");
        assert_eq!(chosen[0].source, choice.source(), "{world:?}");
        assert_eq!(chosen[0].path.as_deref(), Some(choice.dir()), "{world:?}");
        assert!(rows.is_sorted_by_key(|row| row.source), "{world:?}: {rows:?}");
        let says = |source| match source {
            RootSource::Option => Some(world.option),
            RootSource::Variable => Some(world.variable),
            RootSource::ProjectSettings => Some(world.project),
            RootSource::GlobalSettings => Some(world.global),
            _ => None,
        };
        for row in rows {
            let hidden = row.source == RootSource::GlobalSettings && world.project != Nothing;
            let expected = match says(row.source) {
                Some(Nothing | Null) => Verdict::NotSet,
                Some(Number) => Verdict::WrongType,
                Some(Blank) if hidden => Verdict::Outranked,
                Some(Blank) => Verdict::Blank,
                Some(Dir(_)) if row.source == choice.source() => Verdict::Chosen,
                Some(Dir(_)) => Verdict::Outranked,
                None => continue,
            };
            assert_eq!(row.verdict, expected, "{world:?}: {row:?}");
        }
    }
}

#[test]
fn the_host_inventory_goes_by_the_global_settings_alone() {
    for world in World::every() {
        let store = world.store();
        let (settings, startup) = (world.settings(), Path::new("/srv/start"));
        let host = HostInventory::new(&environment(), &store, &settings, startup);
        let expected = match (world.variable, world.global) {
            (Dir(dir), _) => (startup.join(dir), RootSource::Variable, Layout::Flat),
            (_, Dir(dir)) => (startup.join(dir), RootSource::GlobalSettings, Layout::Flat),
            _ => (store.dir.sessions(), RootSource::Default, Layout::Nested),
        };
        let found = (host.inventory().root.clone(), host.source(), host.inventory().layout);
        assert_eq!(found, expected, "{world:?}");
    }
}

/// What dreb has: no variable, so no row for one.
#[test]
fn dreb_has_no_variable_for_the_session_directory() {
    let world = World {
        option: Nothing,
        variable: Nothing,
        project: Nothing,
        global: Nothing,
        hook: Nothing,
    };
    let sources: Vec<_> = world.choose().0.considered().iter().map(|row| row.source).collect();
    assert_eq!(
        sources,
        [
            RootSource::Option,
            RootSource::ProjectSettings,
            RootSource::GlobalSettings,
            RootSource::Hook,
            RootSource::Default,
        ]
    );
}

#[test]
fn each_source_follows_the_path_rules() {
    for (said, dir) in [
        ("~/s", "/home/ana/s"),
        ("/abs/./x", "/abs/./x"),
        ("../up", "/proj/up"),
        ("  trimmed  ", "/proj/base/trimmed"),
    ] {
        let by = |world: World| world.choose().0.dir().to_path_buf();
        let quiet = World {
            option: Nothing,
            variable: Nothing,
            project: Nothing,
            global: Nothing,
            hook: Nothing,
        };
        let said = Dir(said);
        for world in [
            World { option: said, ..quiet },
            World { variable: said, ..quiet },
            World { project: said, ..quiet },
            World { global: said, ..quiet },
            World { hook: said, ..quiet },
        ] {
            assert_eq!(by(world), PathBuf::from(dir), "{world:?}");
        }
    }
}

#[test]
fn without_a_home_a_tilde_is_passed_over_and_told() {
    let environment = Environment::new(None, []).with_style(PathStyle::Unix);
    let store = Store::new(AgentDir::new("/a", StoreKind::Dreb), StoreOrigin::Option);
    let settings = Settings::none();
    let request = RootRequest {
        environment: &environment,
        store: &store,
        settings: &settings,
        base: Path::new("/b"),
        cwd: "/c",
        session_dir: Some(OsStr::new("~/x")),
    };
    let choice = RootChoice::new(&request, |_| None);
    assert_eq!(choice.source(), RootSource::Default);
    assert_eq!(choice.considered()[0].verdict, Verdict::NoHome);
}
