package redact

import "strings"

// The beginnings of the words that make a name that of a secret.
var (
	passwordHints = []string{"pass", "pwd", "kennwort", "pw=", "pw:", "pw "}
	secretHints   = []string{"secret", "credential", "creds"}
	tokenHints    = []string{"token", "_pat", "-pat", "pat=", "pat:", `pat"`, "pat is"}
	keyHints      = []string{"key"}
)

// spoken matches a value at the end of a sentence, perhaps in quotes.
const spoken = `["'*` + "`" + `(]{0,3}([^\s"'` + "`" + `<>\[,]*[^\s"'` + "`" + `<>\[,.;:!?)])`

// table are the rules. Lengths are lower bounds somewhat below what the makers issue,
// so that a longer token of tomorrow is still found. A new rule needs its examples in
// rules_test.go.
func table() []rule {
	return append([]rule{
		{kind: privateKey, hints: []string{"-----begin"}, glued: true, find: pemBlock},
		{kind: privateKey, hints: []string{"-----end"}, glued: true, find: pemTail},

		{kind: "GitHub token", hints: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"},
			pattern: `gh[opusr]_(?:[A-Za-z0-9]{30,}|\d{1,20}_eyJ[\w-]{20,}(?:\.[\w-]+)*)`},
		{kind: "GitHub token", hints: []string{"github_pat_"}, pattern: `github_pat_\w{40,}`},
		{kind: "GitLab token", hints: []string{"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-", "glagent-", "gloas-"},
			pattern: `gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[\w-]{20,}(?:\.\w{2}\.\w{7,})?`, check: isNoWord},
		{kind: "GitLab token", hints: []string{"gr1348941"}, pattern: `GR1348941[\w-]{20,}`},

		{kind: "AWS access key", hints: []string{"akia", "asia"},
			// the secret is often right beside the id, as in the file of the console
			pattern: `((?:AKIA|ASIA)[A-Z0-9]{16})\b(?:["']?[,:;\t ]["']?([A-Za-z0-9/+]{40})\b)?`},
		{kind: "AWS secret key", hints: []string{"secret_access_key", "secretaccesskey", "secret-access-key", "aws_secret"}, glued: true,
			pattern: `(?i:secret[_-]?access[_-]?key|aws_secret(?:_key)?)\\?["']?\s{0,4}(?:=>|:=|[=: ])\s{0,4}\\?["']?([A-Za-z0-9/+]{40,})`},

		{kind: "Slack token", hints: []string{"xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"},
			pattern: `(?:xox[a-eoprs]|xapp|xoxe\.xox[bp])-[A-Za-z0-9%-]{12,}`, check: isNoWord},
		{kind: "Slack webhook", hints: []string{"hooks.slack.com/"},
			pattern: `hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{24,})`, check: hasDigit},
		{kind: "Discord webhook", hints: []string{"discord.com/api/webhooks/", "discordapp.com/api/webhooks/"},
			pattern: `discord(?:app)?\.com/api/webhooks/\d{15,}/([\w-]{40,})`},
		// The number of a bot in base 64 begins with one of these.
		{kind: "Discord token", hints: combinations("md mt mj mz nd nt nj nz od ot", "aeimquyckg"),
			pattern: `[MNO][DTjz][AEIMQUYcgk][\w-]{20,25}\.[\w-]{6}\.[\w-]{27,}`},
		{kind: "Telegram token", hints: []string{":aa"}, glued: true,
			before: `\b\d{8,10}$`, pattern: `:AA[\w-]{32,}`},
		{kind: "Twilio key", hints: combinations("sk", "0123456789abcdef"), pattern: `SK[0-9a-f]{32}\b`},
		{kind: "SendGrid key", hints: []string{"sg."}, pattern: `SG\.[\w-]{16,30}\.[\w-]{32,}`},

		{kind: "Stripe key", hints: []string{"sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"}, pattern: `[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}`},
		{kind: "Stripe key", hints: []string{"whsec_"}, pattern: `whsec_[A-Za-z0-9+/]{24,}={0,2}`, check: isNoWord},
		{kind: "Shopify token", hints: []string{"shpat_", "shpss_", "shpca_", "shppa_"}, pattern: `shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32,}`},

		{kind: "Anthropic key", hints: []string{"sk-ant-"}, pattern: `sk-ant-[\w-]{20,}`, check: isNoWord},
		{kind: "OpenAI key", hints: []string{"sk-proj-", "sk-svcacct-", "sk-admin-"}, pattern: `sk-(?:proj|svcacct|admin)-[\w-]{20,}`, check: isNoWord},
		{kind: "API key", hints: []string{"sk-"}, pattern: `sk-(?:[a-z0-9]{1,8}-){0,3}[A-Za-z0-9_]{24,}`, check: isRandom},
		{kind: "Groq key", hints: []string{"gsk_"}, pattern: `gsk_[A-Za-z0-9]{40,}`},
		{kind: "xAI key", hints: []string{"xai-"}, pattern: `xai-[A-Za-z0-9]{60,}`},
		{kind: "Perplexity key", hints: []string{"pplx-"}, pattern: `pplx-[A-Za-z0-9]{40,}`},
		{kind: "Replicate token", hints: []string{"r8_"}, pattern: `r8_[A-Za-z0-9]{37,}`},
		{kind: "Hugging Face token", hints: []string{"hf_", "api_org_"}, pattern: `(?:hf|api_org)_[A-Za-z0-9]{30,}`},

		{kind: "Google API key", hints: []string{"aiza"}, pattern: `AIza[\w-]{35,}`},
		{kind: "Google API key", hints: []string{"aq.ab"}, pattern: `AQ\.Ab[\w-]{30,}`},
		{kind: "Google OAuth secret", hints: []string{"gocspx-"}, pattern: `GOCSPX-[\w-]{24,}`},
		{kind: "Google OAuth token", hints: []string{"ya29."}, pattern: `ya29\.[\w-]{20,}`},
		{kind: "Azure storage key", hints: []string{"accountkey=", "sharedaccesskey="}, glued: true,
			pattern: `(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})`},
		{kind: "Azure SAS signature", hints: []string{"sig="}, pattern: `(?i:sig)=((?:[A-Za-z0-9+/_-]|%[0-9A-Fa-f]{2}){40,}(?:=|%3[Dd])?)`},
		{kind: "Azure client secret", hints: []string{"7q~", "8q~"}, glued: true, before: `[\w.~-]{3}$`, pattern: `[78]Q~[\w.~-]{31,}`, check: hasDigit},
		{kind: "DigitalOcean token", hints: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, pattern: `do[opr]_v1_[0-9a-f]{64}\b`},
		{kind: "Cloudflare key", hints: []string{"v1.0-"}, pattern: `v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}`},
		{kind: "Cloudflare token", hints: []string{"cfut_", "cfat_", "cfk_"}, pattern: `(?:cfut|cfat|cfk)_[A-Za-z0-9_-]{40,}`},
		{kind: "Heroku key", hints: []string{"hrku-"}, pattern: `HRKU-[\w-]{36,}`},
		{kind: "Databricks token", hints: []string{"dapi"}, pattern: `dapi[0-9a-f]{32}(?:-\d)?\b`},
		{kind: "Vault token", hints: []string{"hvs.", "hvb.", "hvr."}, pattern: `hv[sbr]\.[\w-]{24,}`},
		{kind: "Terraform token", hints: []string{".atlasv1."}, glued: true, before: `[A-Za-z0-9]{14}$`, pattern: `\.atlasv1\.[\w=-]{60,}`},
		{kind: "Pulumi token", hints: []string{"pul-"}, pattern: `pul-[0-9a-f]{40}\b`},
		{kind: "Tailscale key", hints: []string{"tskey-"}, pattern: `tskey-[a-z]+-[\w-]{16,}`, check: isNoWord},
		{kind: "Supabase token", hints: []string{"sbp_", "sb_secret_"}, pattern: `(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})`},

		{kind: "npm token", hints: []string{"npm_"}, pattern: `npm_[A-Za-z0-9]{36,}`},
		{kind: "npm token", hints: []string{"_authtoken", "_auth"}, glued: true, before: `(?:[:\n]|^)$`,
			pattern: `_auth(?:Token)?(?:[ \t]*=[ \t]*|[ \t]+)["']?([A-Za-z0-9+/=_.-]{8,})`, check: isNoWord},
		{kind: "PyPI token", hints: []string{"pypi-ag"}, pattern: `pypi-Ag[\w-]{40,}`},
		{kind: "RubyGems key", hints: []string{"rubygems_"}, pattern: `rubygems_[0-9a-f]{48}\b`},
		{kind: "Docker Hub token", hints: []string{"dckr_pat_", "dckr_oat_"}, pattern: `dckr_[po]at_[\w-]{24,}`},
		{kind: "Atlassian token", hints: []string{"atatt3", "atctt3"}, pattern: `AT[AC]TT3[\w=-]{60,}`},
		{kind: "Atlassian token", hints: []string{"atbb"}, pattern: `ATBB[A-Za-z0-9]{28,}`},
		{kind: "Linear key", hints: []string{"lin_api_", "lin_oauth_"}, pattern: `lin_(?:api|oauth)_[A-Za-z0-9]{32,}`},
		{kind: "Notion token", hints: []string{"ntn_"}, pattern: `ntn_[A-Za-z0-9]{40,}`},
		{kind: "Figma token", hints: []string{"figd_"}, pattern: `figd_[\w-]{36,}`},
		{kind: "Postman key", hints: []string{"pmak-"}, pattern: `PMAK-[0-9a-f]{24}-[0-9a-f]{34}\b`},
		{kind: "Grafana token", hints: []string{"glsa_", "glc_ey"}, pattern: `(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_ey[A-Za-z0-9+/=]{40,})`},
		{kind: "Sentry token", hints: []string{"sntrys_", "sntryu_"}, pattern: `sntry[su]_[A-Za-z0-9+/=_-]{40,}`},
		{kind: "New Relic key", hints: []string{"nrak-"}, pattern: `NRAK-[A-Z0-9]{27}\b`},
		{kind: "1Password token", hints: []string{"ops_ey"}, pattern: `ops_ey[A-Za-z0-9_=-]{100,}`},
		{kind: "age secret key", hints: []string{"age-secret-key-1"}, pattern: `(?i:AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{40,})`},
		{kind: "access token", hints: []string{"p8e-", "ltai", "akcp", "absk", "clojars_", "dp.pt.", "duffel_", "dt0c01.", "ezak", "eztk", "eaam", "eaac", "eaaa", "sq0atp-", "sq0csp-", "flwseck", "fo1_", "fm1a_", "fm1r_", "fm2_", "fio-u-", "ico-"},
			pattern: `(?:p8e-[A-Za-z0-9]{32}|LTAI[A-Za-z0-9]{20}|AKCp[A-Za-z0-9]{60,}|ABSK[A-Za-z0-9+/]{100,}|CLOJARS_[a-z0-9]{60}|dp\.pt\.[A-Za-z0-9]{40,}|duffel_(?:test|live)_[\w=-]{40,}|dt0c01\.[A-Z0-9a-z]{24}\.[A-Za-z0-9]{60,}|` +
				`EZ[AT]K[A-Za-z0-9]{54}|EAA[MC][A-Za-z0-9]{100,}|(?:EAAA|sq0atp-|sq0csp-)[\w-]{22,}|FLWSECK[\w-]{12,}|f(?:o1|m1[ar]|m2)_[\w+/-]{43,}={0,3}|fio-u-[\w=-]{60,}|ico-[A-Za-z0-9]{32})`, check: isNoWord},
		{kind: "access token", hints: []string{"pscale_", "pnu_", "rdme_", "tk-us-", "xkeysib-", "sm_aat_", "sm_pat_", "sm_sat_", "shippo_", "sgp_", "glffct-", "sha256~", "api-", "a3-", "tfp_", "aqvn", "dnkey-", "squ_", "sqp_", "sqa_", "glc_", "zxlk", "key-", "s-s4t2"},
			pattern: `(?:pscale_(?:tkn|oauth|pw)_[\w=.-]{32,}|pnu_[A-Za-z0-9]{36}|rdme_[a-z0-9]{70}|tk-us-[\w-]{48}|xkeysib-[a-f0-9]{64}-\w{16}|sm_[aps]at_[A-Za-z0-9]{16}|shippo_(?:live|test)_[a-fA-F0-9]{40}|sgp_(?:\w{5,16}_)?[a-fA-F0-9]{40}|` +
				`glffct-[\w-]{20,}|sha256~[\w-]{43}|API-[A-Z0-9]{26,}|A3-[A-Z0-9]{6}-[A-Z0-9-]{23,}|tfp_[\w.=-]{59}|AQVN[\w-]{35,}|dnkey-[\w=-]{60,}|sq[upa]_[\w=-]{40}|glc_[A-Za-z0-9+/]{32,}={0,3}|ZXlK[\w+/=-]{40,}|key-[0-9a-f]{32}\b|s-s4t2(?:ud|af)-[0-9a-fA-F]{64})`, check: isNoWord},
		{kind: "webhook", hints: []string{".webhook.office.com/"}, glued: true, pattern: `\.webhook\.office\.com/webhookb2/([\w@/-]{60,})`},
		{kind: privateKey, hints: []string{"ls0tls1crudjti"}, pattern: `LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,}={0,2}`, check: isEncodedKey},
		{kind: "authorization", hints: []string{"eyjhdxrocyi6", "ewogicjhdxrocyi6"}, pattern: `(?:eyJhdXRocyI6|ewogICJhdXRocyI6)[A-Za-z0-9+/]{30,}={0,2}`},
		{kind: "JSON web token", hints: []string{"eyj"}, apart: true, pattern: `eyJ[\w-]{8,}\.(?:eyJ[\w-]{4,}(?:\.[\w-]*)?|[\w-]{2,}\.[\w-]{16,})(?:\.[\w-]+)*`},

		{kind: "authorization", hints: []string{"authorization"}, glued: true,
			pattern: `(?i:authorization)\\?["']?\s{0,3}(?:=>|[:=,])\s{0,3}\\?[ubf]?["'` + "`" + `]?(?i:bearer|basic|token|bot|apikey|negotiate)\s{1,3}([A-Za-z0-9._~+/-]{8,}={0,2})`, check: isNoWord},
		{kind: "authorization", hints: []string{"authorization:"}, glued: true, pattern: `(?i:authorization): {0,3}([A-Za-z0-9._~+/-]{16,}={0,2})`, check: isRandom},
		{kind: "authorization", hints: []string{"bearer "}, pattern: `(?i:bearer) {1,3}([A-Za-z0-9._~+/-]{12,}={0,2})`, check: isBearer},
		{kind: "password", hints: []string{"://"}, glued: true, find: urlSecret},
		{kind: "password", hints: []string{"machine"},
			pattern: `machine\s{1,8}\S{1,200}\s{1,8}(?:login\s{1,8}\S{1,200}\s{1,8})?(?:account\s{1,8}\S{1,200}\s{1,8})?password\s{1,8}([^\s<$][^\s<]*)`, check: isNoPlaceholder},
		{kind: "cookie", hints: []string{"set-cookie"}, pattern: `(?i:set-cookie)\\?["']?\s?[:=]\s?\\?["']?([\w.%-]{1,64}=[^;\s"'\\]+)`, check: isCookieValue},
		{kind: "cookie", hints: []string{"cookie"}, pattern: `(?i:cookie)\\?["']?\s?[:=]\s?\\?["']?([\w.%-]{1,64}=[^;\s"'\\]+(?:; ?[\w.%-]{1,64}=[^;\s"'\\]+)*)`, check: isCookieValue},
		{kind: privateKey, hints: []string{"private-lines:"}, pattern: `(?i:private-lines): \d+(?:\s|\\n)+((?:[A-Za-z0-9+/=]{20,}(?:\s|\\n)*)+(?:[A-Za-z0-9+/]+={1,2})?)`},
		{kind: privateKey, hints: []string{"private-mac:"}, pattern: `(?i:private-mac): ([0-9a-f]{40,64})\b`},
		{kind: privateKey, hints: []string{"client-key-data", "private_key_id"}, pattern: `(?:client-key-data|private_key_id)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?([A-Za-z0-9+/]{32,}={0,2})`},
		{kind: "API key", hints: []string{"fernet"}, glued: true, pattern: `(?i:fernet)[\w.]{0,20}\W{1,8}b?["']?([\w-]{43}=)`},
		{kind: "password", hints: []string{"identified"}, pattern: `(?i:identified)\s{1,4}(?i:with\s{1,4}\S{1,60}\s{1,4})?(?:(?i:by|as)\s{1,4}(?i:password\s{1,4})?'([^'\s]+)'|BY\s{1,4}"([^"\s]+)")`, check: isGiven},
		{kind: "password", hints: []string{"password"}, glued: true, pattern: `(?i:password)\s{1,4}'([^'\s]{4,})'`, check: isQuoted},

		{kind: "password", hints: passwordHints, glued: true, find: assigned("password", isPasswordName, isPasswordValue)},
		{kind: "secret", hints: secretHints, glued: true, find: assigned("secret", isLongName, isSecretValue)},
		{kind: "token", hints: tokenHints, glued: true, find: assigned("token", isTokenName, isSecretValue)},
		{kind: "API key", hints: keyHints, glued: true, find: assigned("API key", isKeyName, isSecretValue)},
		{kind: "authorization", hints: []string{"auth"}, glued: true, find: assigned("authorization", isAuthName, isAuthValue)},
		{kind: "cookie", hints: []string{"cookie"}, glued: true, find: assigned("cookie", isCookieName, isSecretValue)},

		{kind: "password", hints: passwordHints, glued: true, find: stated("password", isSpokenPassword)},
		{kind: "secret", hints: secretHints, glued: true, find: stated("secret", isLongName)},
		{kind: "token", hints: tokenHints, glued: true, find: stated("token", isSpokenToken)},
		{kind: "API key", hints: keyHints, glued: true, find: stated("API key", isKeyName)},
		{kind: "password", hints: []string{" / "}, glued: true, find: pairSecret},
		{kind: "password", hints: []string{"passwörter"}, glued: true, pattern: `(?i:passwörter)(?: sind)?:? {1,3}` + spoken, check: isSpoken},
		{kind: "API key", hints: []string{"schlüssel"}, glued: true, before: `(?i:api|wlan|wifi|lizenz|zugangs|zugriffs|geheimer|privater|geheim|access|master|signatur)[- ]?$`,
			pattern: `(?i:schlüssel)(?::| ist| lautet| war| heißt):? {1,3}` + spoken, check: isSpoken},
		{kind: "secret", hints: []string{"schlüssel lautet", "geheimnis"}, glued: true, pattern: `(?i:schlüssel lautet|geheimnis(?: ist| lautet|:)):? {1,3}` + spoken, check: isSpoken},
	}, programs()...)
}

// combinations returns each of the words with each of the characters behind it.
func combinations(words, chars string) (all []string) {
	for word := range strings.FieldsSeq(words) {
		for _, char := range chars {
			all = append(all, word+string(char))
		}
	}
	return all
}
