//! The patterns, by kind. The first one that matches a place names its kind.

/// How much of a match is the secret, and what tells a real one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// Every match is one.
    Certain,
    /// The value of something whose name says that it is secret; placeholders and code are none.
    Assigned,
    /// A run of small letters is a word, such as the name of a class.
    Opaque,
    /// The value of something that is certainly a secret's name; only placeholders and code are none.
    Named,
    /// An address that is made up for examples is none.
    Address,
    /// The name of the home directory; a name that stands for nobody is none.
    Home,
}

/// A kind, its pattern, and how a match is judged. The secret is the group `s`, or all of the match.
pub(super) type Kind = (&'static str, &'static str, Check);

/// Names whose values are secret, inside of a longer name too (`GITHUB_TOKEN`, `dbPassword`).
pub(super) const SECRET_NAME: &str = r"(?:pass(?:word|wd|phrase)|pwd|secret|token|credentials?|auth[_-]?key|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|account[_-]?key|conn(?:ection)?[_-]?string)";

/// All kinds. Names of issuers in the order of the alphabet; the general ones come last.
pub(super) const KINDS: &[Kind] = &[
    (
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\z)",
        Check::Certain,
    ),
    ("age-key", r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b", Check::Certain),
    ("anthropic-key", r"\bsk-ant-[A-Za-z0-9_-]{20,}", Check::Certain),
    ("aws-key-id", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b", Check::Certain),
    (
        "azure-key",
        r"(?i)\b(?:AccountKey|SharedAccessKey|sig)=(?P<s>[A-Za-z0-9+/%]{30,}={0,2})",
        Check::Certain,
    ),
    ("digitalocean-token", r"\bdo[opr]_v1_[a-f0-9]{64}\b", Check::Certain),
    (
        "discord-token",
        r"\b[MNO][A-Za-z\d_-]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38}\b",
        Check::Certain,
    ),
    (
        "github-token",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
        Check::Certain,
    ),
    (
        "gitlab-token",
        r"\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[A-Za-z0-9_-]{20,}",
        Check::Certain,
    ),
    ("google-key", r"\bAIza[0-9A-Za-z_-]{35}", Check::Certain),
    ("google-oauth", r"\b(?:ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{20,})", Check::Certain),
    ("groq-key", r"\bgsk_[A-Za-z0-9]{40,}", Check::Certain),
    ("huggingface-token", r"\bhf_[A-Za-z0-9]{30,}", Check::Certain),
    ("jwt", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}", Check::Certain),
    ("npm-token", r"\bnpm_[A-Za-z0-9]{36}\b", Check::Certain),
    ("openai-key", r"\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}", Check::Opaque),
    ("pypi-token", r"\bpypi-AgE[A-Za-z0-9_-]{50,}", Check::Certain),
    ("sendgrid-key", r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}", Check::Certain),
    ("shopify-token", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b", Check::Certain),
    (
        "slack-token",
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}",
        Check::Certain,
    ),
    (
        "slack-webhook",
        r"hooks\.slack\.com/(?:services|workflows)/(?P<s>[A-Za-z0-9+/_-]{20,})",
        Check::Certain,
    ),
    ("stripe-key", r"\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{20,}", Check::Certain),
    ("telegram-token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,35}\b", Check::Certain),
    ("twilio-key", r"\b(?:SK|AC)[0-9a-f]{32}\b", Check::Certain),
    ("xai-key", r"\bxai-[A-Za-z0-9]{40,}", Check::Certain),
    ("atlassian-token", r"\bATATT3[A-Za-z0-9_=-]{100,}", Check::Certain),
    ("cerebras-key", r"\bcsk-[A-Za-z0-9]{40,}", Check::Certain),
    ("databricks-token", r"\bdapi[0-9a-f]{32}\b", Check::Certain),
    (
        "discord-webhook",
        r"discord(?:app)?\.com/api/webhooks/(?P<s>\d{15,22}/[A-Za-z0-9_-]{40,})",
        Check::Certain,
    ),
    ("docker-token", r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}", Check::Certain),
    ("doppler-token", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{30,}", Check::Certain),
    ("fly-token", r"\bfm[12][ar]?_[A-Za-z0-9+/=_-]{40,}", Check::Certain),
    ("grafana-token", r"\bgl(?:sa|c)_[A-Za-z0-9+/=_-]{32,}", Check::Certain),
    ("linear-key", r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,}", Check::Certain),
    ("mailgun-key", r"\bkey-[0-9a-f]{32}\b", Check::Certain),
    ("newrelic-key", r"\bNRAK-[A-Z0-9]{27}\b", Check::Certain),
    ("notion-token", r"\bntn_[A-Za-z0-9]{40,}", Check::Certain),
    ("perplexity-key", r"\bpplx-[A-Za-z0-9]{40,}", Check::Certain),
    ("planetscale-token", r"\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9._-]{30,}", Check::Certain),
    ("postman-key", r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b", Check::Certain),
    ("replicate-token", r"\br8_[A-Za-z0-9]{37}\b", Check::Certain),
    ("rubygems-key", r"\brubygems_[0-9a-f]{48}\b", Check::Certain),
    ("sentry-token", r"\bsntry[su]_[A-Za-z0-9+/=_-]{40,}", Check::Certain),
    ("supabase-token", r"\bsbp_[0-9a-f]{40}\b", Check::Certain),
    ("tavily-key", r"\btvly-[A-Za-z0-9-]{28,}", Check::Certain),
    ("vault-token", r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}", Check::Certain),
    (
        "cookie",
        r#"(?i)\b(?:set-)?cookie\\*["']?\s*[:=]\s*\\*["']?(?P<s>[a-z0-9_.-]+=[^\r\n"'\\]{16,})"#,
        Check::Opaque,
    ),
    (
        "authorization",
        r#"(?i)(?:["']auth\\*["']\s*:\s*\\*["']|\b_auth\s*=\s*["']?)(?P<s>[A-Za-z0-9+/]{12,}={0,2})"#,
        Check::Opaque,
    ),
    (
        "url-credentials",
        r#"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<s>[^\s/:@"'<>`\[\]]*:[^\s/@"'<>`\[\]]+)@"#,
        Check::Certain,
    ),
    (
        "url-credentials",
        r#"(?i)[?&](?:access_token|api_?key|apikey|auth|key|password|secret|sig|signature|token)=(?P<s>[^\s&"'<>`#]{8,})"#,
        Check::Assigned,
    ),
    (
        "authorization",
        r#"(?i)\b(?:proxy-)?authorization\\*["']?\s*[:=]\s*\\*["']?(?:bearer|basic|token|digest|negotiate|bot)\s+(?P<s>[A-Za-z0-9._~+/=-]{8,})"#,
        Check::Certain,
    ),
    (
        "authorization",
        r#"(?i)\b(?:proxy-)?authorization\\*["']?\s*[:=]\s*\\*["']?(?P<s>[A-Za-z0-9._~+/=-]{8,})"#,
        Check::Opaque,
    ),
    ("authorization", r"\b[Bb]earer\s+(?P<s>[A-Za-z0-9._~+/-]{20,}={0,2})", Check::Certain),
    (
        "password",
        r#"(?i)\\*["'](?:[a-z0-9_.-]*SECRET_NAME[a-z0-9_]*)\\*["']\s*[:=]\s*\\*["'](?P<s>[^"'\\\r\n]{4,})"#,
        Check::Assigned,
    ),
    (
        "password",
        r#"(?i)\b[a-z0-9_.-]*SECRET_NAME[a-z0-9_]*\s*(?:=>|:=|=|:)\s*\\*["'](?P<s>[^"'\\\r\n]{4,})"#,
        Check::Assigned,
    ),
    (
        "password",
        r#"(?i)\b[a-z0-9_.-]*SECRET_NAME[a-z0-9_]*\s*(?:=>|:=|=|:)\s*(?P<s>[^\s"'\\,;(){}\[\]<>|&]{6,})"#,
        Check::Assigned,
    ),
    (
        "password",
        r#"(?i)--(?:[a-z0-9-]*SECRET_NAME)[ =]\\*["']?(?P<s>[^\s"'\\]{4,})"#,
        Check::Assigned,
    ),
    (
        "password",
        r#"(?i)\bcurl\b[^\n]*?\s(?:-u|--user)[ =]?["']?(?P<s>[^\s"':]+:[^\s"']+)"#,
        Check::Certain,
    ),
    (
        "password",
        r#"\b(?:[A-Z0-9_]*_)?(?:[A-Z0-9]*PASSWORD|PASS|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|[A-Z]+_KEY)=(?P<s>[^\s"'\\,;(){}\[\]<>|&`]{6,})"#,
        Check::Assigned,
    ),
    (
        "password",
        r#"\b(?:(?:[A-Z0-9_]*_)?(?:[A-Z0-9]*PASSWORD|PASS|PASSWD)=|sshpass\s+-p\s*["']?|login\s+\S+\s+password\s+)(?P<s>[^\s"'\\,;(){}\[\]<>|&`]{4,})"#,
        Check::Named,
    ),
    (
        "password",
        r#"\bmysql(?:dump|admin)?\b[^\n|;]*?\s-p(?P<s>[^\s"'-][^\s"']{3,})"#,
        Check::Named,
    ),
    (
        "password",
        r#"(?i)\b(?:password|passphrase|secret|token|api key)\s+is:?\s+["'`]?(?P<s>[^\s"'`,;<>\\]{6,})"#,
        Check::Assigned,
    ),
    ("password", r#"(?i)<[a-z0-9_.:-]*SECRET_NAME>(?P<s>[^<>\s]{4,})</"#, Check::Assigned),
    (
        "password",
        r#"(?i)\bname:\s*["']?[a-z0-9_.-]*SECRET_NAME[a-z0-9_]*["']?\s*\n\s*value:\s*["']?(?P<s>[^\s"'<>\\]{4,})"#,
        Check::Named,
    ),
    (
        "email",
        r"\b[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*\.[A-Za-z]{2,24}\b",
        Check::Address,
    ),
    (
        "home",
        r#"(?:/home/|/Users/|\b[A-Za-z]:\\{1,2}Users\\{1,2}|\b[A-Za-z]:/Users/|--home-|--Users-)(?P<s>[^\s/\\:"'<>|,;)(\]\[`*?$&]+)"#,
        Check::Home,
    ),
];
