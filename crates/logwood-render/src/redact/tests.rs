//! Planted secrets and what only looks like one. Every secret is put together at run time, so that no scanner trips over this file.

use logwood::json::Raw;

use super::*;

fn rep(text: &str, count: usize) -> String {
    text.repeat(count)
}

/// Those of more issuers, and passwords of command lines and files.
fn planted_more() -> Vec<(&'static str, String, &'static str)> {
    vec![
        (
            "discord ",
            format!("https://discord.com/api/web{}", "hooks/572101415618365461/")
                + &rep("aB3_", 17),
            "",
        ),
        ("_auth=", rep("YWRtaW46", 4), "\n"),
        ("", format!("lin{}{}", "_api_", rep("aB3d", 10)), ""),
        ("", format!("nt{}{}", "n_", rep("aB3d", 12)), ""),
        ("", format!("hv{}{}", "s.", rep("aB3d", 20)), ""),
        ("", format!("da{}{}", "pi", rep("0a1b", 8)), ""),
        ("", format!("r{}{}", "8_", rep("aB3d", 9) + "a"), ""),
        ("", format!("pp{}{}", "lx-", rep("aB3d", 12)), ""),
        ("FlyV1 ", format!("fm{}{}", "2_", rep("aB3d", 20)), ""),
        ("", format!("dp.{}{}", "pt.", rep("aB3d", 10)), ""),
        ("", format!("pscale{}{}", "_tkn_", rep("aB3d", 10)), ""),
        ("", format!("PM{}{}-{}", "AK-", rep("0a1b", 6), rep("0a1b", 8) + "0a"), ""),
        ("", format!("gl{}{}_0a1b2c3d", "sa_", rep("aB3d", 8)), ""),
        ("", format!("sn{}{}", "trys_", rep("aB3d", 20)), ""),
        ("", format!("dckr{}{}", "_pat_", rep("aB3", 9)), ""),
        ("", format!("tv{}{}", "ly-", rep("aB3d", 8)), ""),
        ("", format!("AT{}{}", "ATT3xFfGF0", rep("aB3d", 40)), ""),
        ("", format!("ruby{}{}", "gems_", rep("0a1b", 12)), ""),
        ("", format!("NR{}{}", "AK-", rep("A1B", 9)), ""),
        ("", format!("sb{}{}", "p_", rep("0a1b", 10)), ""),
        ("", format!("cs{}{}", "k-", rep("aB3d", 12)), ""),
        ("", format!("ke{}{}", "y-", rep("0a1b", 8)), ""),
        ("Cookie: session=", rep("aB3d", 10), "\n"),
        ("Set-Cookie: sid=", rep("aB3d", 10), "; HttpOnly"),
        ("DB_PASS=", "AldOKM9gwKOOU".to_owned(), "\n"),
        ("PGPASSWORD=", "cSAaYatTSJ".to_owned(), " psql"),
        ("sshpass -p ", "mAMhjkHW9gbg".to_owned(), " ssh h"),
        ("machine x.io login me password ", "pTifmrI1YiJC".to_owned(), "\n"),
        ("<password>", "Lnt8EGno2CRi".to_owned(), "</password>"),
        ("{\"auth\": \"", rep("dXNlcjpw", 3), "\"}"),
        ("ENCRYPTION_KEY=", rep("0a1b2c3d", 8), "\n"),
        ("the password is ", "fI2rVXWybQTK".to_owned(), "."),
        ("password: “", "xskJ3caDWFfV".to_owned(), "”"),
        ("- name: DB_PASSWORD\n  value: ", "qpdc9KZO60Tz".to_owned(), "\n"),
    ]
}

/// Texts, each with the secret that stands in it.
fn planted() -> Vec<(String, String)> {
    let mut all: Vec<(&str, String, &str)> = vec![
        ("my token is ", format!("gh{}{}", "p_", rep("Z", 36)), " ok?"),
        ("x", String::new(), ""),
        ("export T=", format!("github{}{}", "_pat_", rep("a1", 20)), "\n"),
        ("", format!("glp{}{}", "at-", rep("xY9", 7)), ""),
        ("key: ", format!("AK{}", "IAQWERTYUIOPASDFGH"), "."),
        ("aws_secret_access_key = ", rep("wJalrXUtnF/1", 3) + "abcd", "\n"),
        ("hide ", format!("sk{}{}", "-", rep("demo0", 6)), ""),
        ("use ", format!("sk-{}{}", "ant-api03-", rep("aB3_", 20)), " now"),
        ("", format!("sk-{}{}", "proj-", rep("aB3_", 20)), ""),
        ("maps ", format!("AI{}{}", "za", rep("Sy0-5", 7)), ""),
        ("slack ", format!("xo{}{}", "xb-", rep("123456-", 3)), ""),
        ("https://hooks.slack.com/services/", rep("T0AB/", 6), ""),
        ("pay ", format!("sk{}{}", "_live_", rep("4eC39", 5)), ""),
        ("//registry/:_authToken=", format!("np{}{}", "m_", rep("aB3d", 9)), ""),
        ("hf ", format!("h{}{}", "f_", rep("aBcD", 9)), ""),
        ("jwt ", format!("ey{}.ey{}.{}", rep("Jhb", 5), rep("Jzd", 5), rep("x-Y", 9)), ""),
        ("Authorization: Bearer ", rep("abc.DEF-", 4), "\n"),
        ("\"authorization\": \"Basic ", rep("dXNlcg", 3), "\""),
        ("curl -H 'Authorization: token ", rep("0a1b", 10), "'"),
        ("curl -u ", "admin:s3cr3t!".to_owned(), " https://a.b"),
        ("curl https://", "user:pa55word".to_owned(), "@example.test/x"),
        ("postgres://", "app:Tr0ub4dor".to_owned(), "@db:5432/x"),
        ("redis://", ":hunter22".to_owned(), "@cache:6379"),
        ("https://a.b/c?x=1&access_token=", rep("Zy8", 8), "&y=2"),
        ("password=", "hunter2".to_owned(), "\n"),
        ("DB_PASSWORD='", "correct horse battery 9".to_owned(), "'"),
        ("{\"password\": \"", "opensesame".to_owned(), "\"}"),
        ("{\\\"apiKey\\\":\\\"", rep("9f8e7d", 4), "\\\"}"),
        ("client_secret: \"", rep("Q~7x", 8), "\""),
        ("--password ", "S3same!".to_owned(), " --host x"),
        ("mysql --password=", "S3same!9".to_owned(), ""),
        ("DefaultEndpointsProtocol=https;AccountKey=", rep("abCD12+/", 8) + "==", ";x"),
        ("write to ", "ana.lopez@lighthouse.dev".to_owned(), " please"),
        ("cat /home/", "mira".to_owned(), "/notes"),
        ("open /Users/", "mira".to_owned(), "/x y"),
        ("C:\\Users\\", "Mira".to_owned(), "\\x"),
        ("sessions/--home-", "mira-tidepool--".to_owned(), "/a.jsonl"),
        ("bot ", format!("12345678{}{}", "9:AA", rep("x_Y", 11)), ""),
        ("twilio ", format!("S{}{}", "K", rep("0a1b", 8)), ""),
        ("sg ", format!("S{}{}.{}", "G.", rep("aB3d", 5), rep("aB3d", 10)), ""),
    ];
    all.remove(1);
    all.extend(planted_more());
    let pem = format!(
        "-----BEGIN {}KEY-----\nMIIB\nAAAA\n-----END {}KEY-----",
        "RSA PRIVATE ", "RSA PRIVATE "
    );
    let mut texts: Vec<_> = all
        .into_iter()
        .map(|(before, secret, after)| (format!("{before}{secret}{after}"), secret))
        .collect();
    texts.push((format!("cat id_rsa\n{pem}\n"), pem));
    texts
}

/// Text without a secret that looks as if it had one.
const CLEAN: &[&str] = &[
    "The password must have 12 characters.",
    "password: string;",
    "token: CancellationToken,",
    "let token = lexer.next_token();",
    "pub secret: Option<String>,",
    "api_key = os.environ[\"API_KEY\"]",
    "const token = process.env.GITHUB_TOKEN;",
    "password=${DB_PASSWORD}",
    "PASSWORD=\"<your password>\"",
    "token: your-token-here",
    "apiKey: \"YOUR_API_KEY\"",
    "password=********",
    "maxTokens: 4096",
    "\"tokensBefore\": 17000, \"totalTokens\": 1234",
    "tokens=12345",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "7d3c1f60-5b0a-4c52-9a11-000000000001",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "git clone git@github.com:a/b.git",
    "mail someone@example.com or x@y.test",
    "icon@2x.png",
    "import x from \"@scope/name\";",
    "https://example.com:8080/path?key=short",
    "/home/user/x and /home/$USER/y and /Users/Shared",
    "ssh://host:22/x",
    "sk-learn is scikit-learn; sk-short",
    "eyJhbGciOiJIUzI1NiJ9 alone is no token",
    "the secret: keep it simple",
    "Secret Manager: a service of a cloud",
    "if password == other.password {",
    "fn token(&self) -> Token",
    "access_key: self.keys.first(),",
    "--token-limit 8000",
    "AKIA is how such ids begin",
    "rsync -u a b",
    "assert_eq!(mask(secret), \"abc\");",
    "total_tokens=123456789 input_tokens: 987654321",
    "Authorization: required",
    ".sk-fading-circle-animation-long-name { margin: 0 }",
    "PASS: 214 tests, FAIL: 0",
    "the password is required to sign in",
    "password is checked before anything else",
    "Cookie: consent",
    "primary_key=True, foreign_key: user_id2",
    "key-value-store-with-many-long-words-in-it",
    "\"auth\": \"basic\"",
    "FOREIGN_KEY=on",
    "COMPASS=north12345",
];

/// Recall and precision over the planted texts, printed, and held.
#[test]
fn planted_secrets_are_found_and_other_text_is_not() {
    let redactor = Redactor::new();
    let mut missed = Vec::new();
    let mut hits = 0;
    let planted = planted();
    for (text, secret) in &planted {
        let found = redactor.find(text);
        let mut report = Report::default();
        let covered = !redactor.redact(text, &mut report).contains(secret.as_str());
        match covered && !found.is_empty() {
            true => hits += 1,
            false => missed.push(text),
        }
    }
    let wrong: Vec<_> = CLEAN
        .iter()
        .flat_map(|text| redactor.find(text).into_iter().map(move |found| (text, found)))
        .collect();
    let recall = f64::from(hits) / planted.len() as f64;
    let precision = f64::from(hits) / (f64::from(hits) + wrong.len() as f64);
    println!(
        "{} planted, {} clean: recall {recall:.3}, precision {precision:.3}",
        planted.len(),
        CLEAN.len()
    );
    assert!(missed.is_empty(), "missed {missed:#?}");
    assert!(wrong.is_empty(), "wrong {wrong:#?}");
}

/// What was taken out once has nothing more to take out, and the same text gives the same one.
#[test]
fn redacting_twice_changes_nothing() {
    let redactor = Redactor::new();
    for (text, _) in planted() {
        let once = redactor.redact(&text, &mut Report::default()).into_owned();
        let mut report = Report::default();
        assert_eq!(redactor.redact(&once, &mut report), once);
        assert_eq!(report.total(), 0, "{once}");
    }
}

#[test]
fn a_line_without_secrets_stays_byte_for_byte() {
    let line = br#"{ "type":"message", "id":"a", "message":{"role":"user","content":"caf\u00e9 \ud800 1.0", "n":1.0}}"#;
    let mut report = Report::default();
    assert!(matches!(
        redact_line(&Redactor::new(), line, &mut report),
        std::borrow::Cow::Borrowed(same) if same == line
    ));
}

/// Escapes hide nothing, the rest of the line stays as it was, and the line is JSON still.
#[test]
fn only_the_strings_with_secrets_change() {
    let (redactor, mut report) = (Redactor::new(), Report::default());
    let line = br#"{ "type" : "message","id":"a1","x":1.0,"a":["mail \u0061na@lighthouse.dev","b"],"password":"opensesame","tokens":"12"}"#;
    let redacted = redact_line(&redactor, line, &mut report);
    assert_eq!(
        String::from_utf8_lossy(&redacted),
        r#"{ "type" : "message","id":"a1","x":1.0,"a":["mail [redacted:email]","b"],"password":"[redacted:password]","tokens":"12"}"#
    );
    assert!(Raw::parse(&redacted).is_ok());
    assert_eq!(report.kinds().collect::<Vec<_>>(), [("email", 1), ("password", 1)]);
}

/// Of a line that was torn, the text is looked at.
#[test]
fn a_torn_line_is_redacted_as_text() {
    let line = br#"{"type":"message","id":"a","message":{"content":"mail ana@lighthouse.dev and "#;
    let redacted = redact_line(&Redactor::new(), line, &mut Report::default());
    assert!(String::from_utf8_lossy(&redacted).ends_with("mail [redacted:email] and "));
}

/// Ids hold the tree together; a secret there is reported and stays.
#[test]
fn structure_is_left_alone_and_told() {
    let secret = format!("gh{}{}", "p_", rep("Z", 36));
    let line = format!(r#"{{"type":"label","id":"{secret}","parentId":null}}"#);
    let redactor = Redactor::new();
    assert_eq!(&*redact_line(&redactor, line.as_bytes(), &mut Report::default()), line.as_bytes());
    let found = find_in_line(&redactor, line.as_bytes());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].kind.as_str(), found[0].member.as_str()), ("github-token", "id"));
}

#[test]
fn pictures_are_not_text() {
    let data = format!("AK{}{}", "IAQWERTYUIOPASDFGH", rep("+abc", 100));
    let line = format!(r#"{{"data":"{data}"}}"#);
    assert!(find_in_line(&Redactor::new(), line.as_bytes()).is_empty());
}

#[test]
fn own_patterns_are_used_first() {
    let own =
        "# of the house\n\nbadge: \\bBADGE-(?P<s>[0-9]{4})\nstaff:  [a-z]+@lighthouse\\.dev\n";
    let redactor = Redactor::with_own(own).unwrap();
    let text =
        redactor.redact("BADGE-1234 ana@lighthouse.dev", &mut Report::default()).into_owned();
    assert_eq!(text, "BADGE-[redacted:badge] [redacted:staff]");
    for (wrong, line) in
        [("no colon", Some(1)), ("\na: (", Some(2)), ("a b: x", Some(1)), ("a: x*", Some(1))]
    {
        assert_eq!(Redactor::with_own(wrong).unwrap_err().line(), line, "{wrong}");
    }
}

#[test]
fn a_mask_never_shows_the_secret() {
    assert_eq!(mask("hunter2"), "…(7)");
    assert_eq!(mask("abcdefghijkl"), "abcd…(12)");
}

/// The guard passes everything on and sees what is written in pieces.
#[test]
fn the_guard_sees_what_is_written_in_pieces() {
    use std::io::Write as _;
    let redactor = Redactor::new();
    let mut guard = Guard::new(Vec::new(), &redactor);
    let secret = format!("gh{}{}", "p_", rep("Z", 36));
    let page = format!(
        "<p>a</p>\n<b>{secret}</b>\n<img src=\"data:image/png;base64,{}\">",
        rep("AKIA", 90)
    );
    for piece in page.as_bytes().chunks(7) {
        guard.write_all(piece).unwrap();
    }
    let (out, report) = guard.finish().unwrap();
    assert_eq!(out, page.as_bytes());
    assert_eq!(report.kinds().collect::<Vec<_>>(), [("github-token", 1)]);
}

/// Letters of other scripts are no part of a token; there is no blank before one in Chinese.
#[test]
fn a_letter_that_is_not_ascii_hides_no_secret() {
    let redactor = Redactor::new();
    let token = format!("gh{}{}", "p_", rep("Z", 36));
    for secret in [token.as_str(), "ana@lighthouse.dev", "ínes@lighthouse.dev"] {
        for before in ["令牌", "é", "ключ"] {
            let text = redactor
                .redact(&format!("{before}{secret}。"), &mut Report::default())
                .into_owned();
            assert!(!text.contains(secret), "{text}");
        }
    }
}

/// What another export took out elsewhere in a long match says nothing about the rest of it.
#[test]
fn a_mark_inside_of_a_secret_does_not_save_it() {
    let key = format!("-----BEGIN {}KEY-----\nMIIBsecret\nlater [redacted:email] x", "PRIVATE ");
    let text = Redactor::new().redact(&key, &mut Report::default()).into_owned();
    assert!(!text.contains("MIIBsecret"), "{text}");
}

/// Where two secrets share some characters, all of both goes.
#[test]
fn of_secrets_that_overlap_nothing_is_left() {
    let redactor = Redactor::with_own("house: abc[0-9]{3}\nbadge: 23-[0-9]{4}\n").unwrap();
    let mut report = Report::default();
    assert_eq!(redactor.redact("x abc123-4567 y", &mut report), "x [redacted:house] y");
    assert_eq!(report.total(), 1);
}

/// Session tokens of AWS are longer than any other secret and nothing but base64.
#[test]
fn a_long_value_of_a_secret_name_is_no_picture() {
    let token = rep("IQoJb3JpZ2lu", 40);
    let line = format!(r#"{{"data":{{"SessionToken":"{token}"}}}}"#);
    let redactor = Redactor::new();
    let text = redact_line(&redactor, line.as_bytes(), &mut Report::default()).into_owned();
    assert_eq!(
        String::from_utf8_lossy(&text),
        r#"{"data":{"SessionToken":"[redacted:password]"}}"#
    );
    assert_eq!(find_in_line(&redactor, line.as_bytes()).len(), 1);
}

/// Structure is where the session has it; elsewhere `id` and `type` are names like others.
#[test]
fn only_members_of_the_tree_are_structure() {
    let token = format!("gh{}{}", "p_", rep("Z", 36));
    let redactor = Redactor::new();
    for inside in [
        format!(r#""message":{{"role":"user","details":{{"id":"{token}"}}}}"#),
        format!(r#""data":{{"role":"{token}"}}"#),
        format!(r#""details":[{{"type":"a"}},"{token}"]"#),
        format!(
            r#""message":{{"content":[{{"type":"toolCall","arguments":{{"id":"{token}"}}}}]}}"#
        ),
    ] {
        let line = format!(r#"{{"type":"message","id":"a",{inside}}}"#);
        let text = redact_line(&redactor, line.as_bytes(), &mut Report::default()).into_owned();
        assert!(!String::from_utf8_lossy(&text).contains(&token), "{inside}");
    }
    for kept in [
        format!(r#"{{"type":"message","message":{{"role":"toolResult","toolCallId":"{token}"}}}}"#),
        format!(
            r#"{{"type":"message","message":{{"content":[{{"type":"toolCall","id":"{token}"}}]}}}}"#
        ),
    ] {
        assert_eq!(
            &*redact_line(&redactor, kept.as_bytes(), &mut Report::default()),
            kept.as_bytes()
        );
    }
}

/// Of a line that is no JSON the scan sees what an export takes out.
#[test]
fn a_torn_line_is_scanned_as_text() {
    let token = format!("gh{}{}", "p_", rep("Z", 36));
    let line = format!(r#"{{"type":"message","id":"a","message":{{"content":"use {token}"#);
    let found = find_in_line(&Redactor::new(), line.as_bytes());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].kind.as_str(), found[0].member.as_str()), ("github-token", ""));
}
