package redact

import (
	"cmp"
	"regexp"
	"strings"
)

// format describes the secrets of a service. Lengths are lower bounds somewhat below what the
// makers issue, so that a longer token of tomorrow is still found.
type format struct {
	kind string

	// prefixes are the beginnings of a secret, separated by spaces, in the case in which they are written.
	prefixes string

	// rest matches what follows a prefix. Its groups are the secret, or the whole match if it has
	// none. If empty, 20 letters and digits or more follow.
	rest string

	// check, if any, rejects matches that are words.
	check func(secret string) bool
}

// formats are the documented ones. A new format needs examples in rules_test.go.
var formats = []format{
	{"GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", `(?:[A-Za-z0-9]{30,}|\d{1,20}_eyJ[\w-]{20,}(?:\.[\w-]+)*)`, nil},
	{"GitHub token", "github_pat_", `\w{40,}`, nil},
	{"GitLab token", "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- glffct- GR1348941", `[\w-]{20,}(?:\.\w{2}\.\w{7,})?`, isNoWord},
	{"AWS access key", "AKIA ASIA", `[A-Z0-9]{16}\b`, nil},
	{"Slack token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xoxe.xoxb- xoxe.xoxp-", `[A-Za-z0-9%-]{12,}`, isNoWord},
	{"Slack webhook", "hooks.slack.com/", `(?:services|workflows|triggers)/([A-Za-z0-9+/]{24,})`, isNoWord},
	{"Discord webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", `\d{15,}/([\w-]{40,})`, nil},
	// The number of a bot in base 64 begins with one of these.
	{"Discord token", "MD MT Mj Mz ND NT Nj Nz OD OT", `[AEIMQUYcgk][\w-]{20,25}\.[\w-]{6}\.[\w-]{27,}`, nil},
	{"Twilio key", "SK", `[0-9a-f]{32}\b`, nil},
	{"SendGrid key", "SG.", `[\w-]{16,30}\.[\w-]{32,}`, nil},
	{"Stripe key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", `[A-Za-z0-9]{16,}`, nil},
	{"Stripe key", "whsec_", `[A-Za-z0-9+/]{24,}={0,2}`, isNoWord},
	{"Shopify token", "shpat_ shpss_ shpca_ shppa_", `[0-9a-fA-F]{32,}`, nil},
	{"Anthropic key", "sk-ant-", `[\w-]{20,}`, isNoWord},
	{"OpenAI key", "sk-proj- sk-svcacct- sk-admin-", `[\w-]{20,}`, isNoWord},
	{"Groq key", "gsk_", "", isNoWord},
	{"xAI key", "xai-", "", isNoWord},
	{"Perplexity key", "pplx-", "", isNoWord},
	{"Replicate token", "r8_", "", isNoWord},
	{"Hugging Face token", "hf_ api_org_", "", isNoWord},
	{"Google API key", "AIza", `[\w-]{35,}`, nil},
	{"Google API key", "AQ.Ab", `[\w-]{30,}`, nil},
	{"Google OAuth secret", "GOCSPX-", `[\w-]{24,}`, nil},
	{"Google OAuth code", "4/0A", `[\w-]{40,}`, nil},
	{"Google OAuth token", "ya29.", `[\w-]{20,}`, nil},
	{"Azure SAS signature", "sig= Sig= SIG=", `((?:[A-Za-z0-9+/_-]|%[0-9A-Fa-f]{2}){40,}(?:=|%3[Dd])?)`, nil},
	{"DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", `[0-9a-f]{64}\b`, nil},
	{"Cloudflare key", "v1.0-", `[0-9a-f]{24}-[0-9a-f]{100,}`, nil},
	{"Cloudflare token", "cfut_ cfat_ cfk_", `[\w-]{40,}`, nil},
	{"Heroku key", "HRKU-", `[\w-]{36,}`, nil},
	{"Databricks token", "dapi", `[0-9a-f]{32}(?:-\d)?\b`, nil},
	{"Vault token", "hvs. hvb. hvr.", `[\w-]{24,}`, nil},
	{"Pulumi token", "pul-", `[0-9a-f]{40}\b`, nil},
	{"Tailscale key", "tskey-", `[a-z]+-[\w-]{16,}`, isNoWord},
	{"Supabase token", "sbp_", `[0-9a-f]{40}`, nil},
	{"Supabase token", "sb_secret_", `[\w-]{20,}`, isNoWord},
	{"npm token", "npm_", "", isNoWord},
	{"PyPI token", "pypi-Ag", `[\w-]{40,}`, nil},
	{"RubyGems key", "rubygems_", `[0-9a-f]{48}\b`, nil},
	{"Docker Hub token", "dckr_pat_ dckr_oat_", `[\w-]{24,}`, nil},
	{"Atlassian token", "ATATT3 ATCTT3", `[\w=-]{60,}`, nil},
	{"Atlassian token", "ATBB", "", isNoWord},
	{"Linear key", "lin_api_ lin_oauth_", "", isNoWord},
	{"Notion token", "ntn_", "", isNoWord},
	{"Figma token", "figd_", `[\w-]{36,}`, nil},
	{"Postman key", "PMAK-", `[0-9a-f]{24}-[0-9a-f]{34}\b`, nil},
	{"Grafana token", "glsa_ glc_", `[A-Za-z0-9+/_]{32,}=*`, isNoWord},
	{"Sentry token", "sntrys_ sntryu_", `[A-Za-z0-9+/=_-]{40,}`, nil},
	{"New Relic key", "NRAK-", `[A-Z0-9]{27}\b`, nil},
	{"1Password token", "ops_ey", `[A-Za-z0-9_=-]{100,}`, nil},
	{"age secret key", "AGE-SECRET-KEY-1 age-secret-key-1", `(?i:[02-9AC-HJ-NP-Z]{40,})`, nil},
	{"Mapbox token", "pk.eyJ sk.eyJ tk.eyJ", `[\w-]{20,}\.[\w-]{16,}`, nil},
	{"CircleCI token", "CCIPAT_ CCIPRJ_", `[\w-]{40,}`, nil},
	{"Airtable token", "pat", `[A-Za-z0-9]{14}\.[0-9a-f]{64}`, nil},
	{"HubSpot token", "pat-", `(?:na|eu|ap)\d-[0-9a-f-]{30,}`, nil},
	{"access token", "LTAI AKCp ABSK CLOJARS_ dp.pt. dp.st. fio-u- ico- EZAK EZTK EAAM EAAC pnu_ rdme_ sm_aat_ sm_pat_ sm_sat_ AKID re_ fw_ fc- nfp_ rnd_ phc_ phx_ alcht_ nvapi- csk- rpa_ e2b_ apify_api_ oy2 CFPAT- hcaik_ napi_ " +
		"pcsk_ lsv2_pt_ lsv2_sk_ ls__ tvly- tvly-dev- tvly-prod- tgp_v1_ jina_ sk_ xsmtpsib- bkua_ ATTA Zxlk bb_live_ rzp_live_ rzp_test_ vcp_ figu_ akab-", `(?:\w{1,12}[._-]|)[A-Za-z0-9]{20,}(?:[._-][A-Za-z0-9]+)*`, isRandom},
	{"access token", "p8e- duffel_test_ duffel_live_ dt0c01. EAAA sq0atp- sq0csp- FLWSECK fo1_ fm1a_ fm1r_ fm2_ pscale_tkn_ pscale_oauth_ pscale_pw_ tk-us- xkeysib- shippo_live_ shippo_test_ sgp_ sha256~ tfp_ AQVN dnkey- squ_ sqp_ sqa_ ZXlK s-s4t2ud- s-s4t2af-",
		`[\w.+/-]{22,}={0,3}`, isNoWord},
	{"access token", "API-", `[A-Z0-9]{26,}`, isNoWord},
	{"access token", "A3-", `[A-Z0-9]{6}-[A-Z0-9-]{23,}`, isNoWord},
	{"access token", "key-", `[0-9a-f]{32}\b`, nil},
	{"Okta token", "SSWS", ` (00[\w-]{30,})`, nil},
	{"Asana token", "1/ 2/", `(?:\d{12,}/)?\d{12,}:[0-9a-f]{32}\b`, nil},
	// The beginning of a PEM block in base 64.
	{privateKey, "LS0tLS1CRUdJTiBQUklW LS0tLS1CRUdJTiBSU0EgUFJJ LS0tLS1CRUdJTiBFQyBQUklW LS0tLS1CRUdJTiBEU0EgUFJJ LS0tLS1CRUdJTiBPUEVOU1NI LS0tLS1CRUdJTiBFTkNSWVBU", `[A-Za-z0-9+/]{40,}={0,2}`, nil},
	{"authorization", "eyJhdXRocyI6 ewogICJhdXRocyI6", `[A-Za-z0-9+/]{30,}={0,2}`, nil},
}

// structures returns the rules for secrets that are recognized by more than a prefix.
func structures() []rule {
	return []rule{
		{kind: privateKey, hints: []string{"-----begin"}, inWord: true, find: pemBlock},
		{kind: privateKey, hints: []string{"-----end"}, inWord: true, find: pemTail},
		{kind: privateKey, hints: []string{"private-lines:"}, pattern: `(?i:private-lines): \d+(?:\s|\\n)+((?:[A-Za-z0-9+/=]{20,}(?:\s|\\n)*)+(?:[A-Za-z0-9+/]+={1,2})?)`},
		{kind: privateKey, hints: []string{"private-mac:"}, pattern: `(?i:private-mac): ([0-9a-f]{40,64})\b`},
		{kind: privateKey, hints: []string{"client-key-data", "private_key_id"}, pattern: `(?:client-key-data|private_key_id)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?([A-Za-z0-9+/]{32,}={0,2})`},
		{kind: "API key", hints: []string{"fernet"}, inWord: true, pattern: `(?i:fernet)[\w.]{0,20}\W{1,8}b?["']?([\w-]{43}=)`},
		{kind: "API key", hints: []string{"sk-"}, pattern: `sk-(?:[a-z0-9]{1,8}-){0,3}[A-Za-z0-9_]{24,}`, check: isRandom},
		{kind: "JSON web token", hints: []string{"eyj"}, before: `(?:^|[^\w-])$`, pattern: `(eyJ[\w-]{8,}\.(?:eyJ[\w-]{4,}(?:\.[\w-]*)?|[\w-]{2,}\.[\w-]{16,})(?:\.[\w-]+)*)`},
		{kind: "Telegram token", hints: []string{":aa"}, inWord: true, before: `(\d{8,10})$`, pattern: `:AA[\w-]{32,}`},
		{kind: "Terraform token", hints: []string{".atlasv1."}, inWord: true, before: `([A-Za-z0-9]{14})$`, pattern: `\.atlasv1\.[\w=-]{60,}`},
		{kind: "Azure client secret", hints: []string{"7q~", "8q~"}, inWord: true, before: `([\w.~-]{3})$`, pattern: `[78]Q~[\w.~-]{31,}`, check: hasDigit},
		{kind: "Mailchimp key", hints: []string{"-us"}, inWord: true, before: `\b([0-9a-f]{32})$`, pattern: `-us\d{1,2}\b`},
		{kind: "AWS secret key", hints: []string{markBegin + "aws access key"}, inWord: true, // beside the id, as in the file of the console
			pattern: `\[redacted: AWS access key\]["']?[,:;\t ]["']?([A-Za-z0-9/+]{40})\b`},
		{kind: "AWS secret key", hints: []string{"secret_access_key", "secretaccesskey", "secret-access-key", "secret access key", "aws_secret"}, inWord: true,
			pattern: `(?i:secret[_ -]?access[_ -]?key|aws_secret(?:_key)?)\\?["']?\s{0,4}(?:\[\w*\])?(?:=>|:=|[=: ])\s{0,4}\\?["']?([A-Za-z0-9/+]{40,})`},
		{kind: "Azure storage key", hints: []string{"accountkey=", "sharedaccesskey="}, inWord: true, pattern: `(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})`},
		{kind: "signature", hints: []string{"-signature=", "-security-token=", "?signature=", "&signature="}, inWord: true, pattern: `[^=]{1,16}=((?:[\w+/=-]|%[0-9A-Fa-f]{2}|~){40,})`},
		{kind: "webhook", hints: []string{".webhook.office.com/"}, inWord: true, pattern: `\.webhook\.office\.com/webhookb2/([\w@/-]{60,})`},
		{kind: "npm token", hints: []string{"_authtoken", "_auth"}, inWord: true, before: `(?:[:\n]|^)$`,
			pattern: `(?:_auth(?:Token)?(?:[ \t]*=[ \t]*|[ \t]+)["']?([A-Za-z0-9+/=_.-]{8,}))`, check: isNoWord},
		{kind: "token", hints: []string{"://"}, inWord: true, pattern: `://([^:/?#,;()\[` + noURL + `]{16,})(?::([^/` + noURL + `]{3,}))?@`, check: isRandom},
		{kind: "password", hints: []string{"://"}, inWord: true, pattern: `://(?:[^:/?#,;()\[` + noURL + `]*:([^/` + noURL + `]{3,})|[^:/?#,;()\[.` + noURL + `]*:([^` + noURL + `]{3,}))@`, check: isURLPassword},
		{kind: "API key", hints: []string{"?key=", "&key="}, inWord: true, pattern: `.key=([\w-]{20,})`, check: isRandom},
		{kind: "authorization", hints: []string{"authorization"}, inWord: true,
			pattern: `(?i:authorization)\\?["']?\s{0,3}(?:=>|[:=,])\s{0,3}\\?[ubf]?["'` + "`" + `]?(?i:bearer|basic|token|bot|apikey|negotiate|ssws)\s{1,3}([A-Za-z0-9._~+/-]{8,}={0,2})`, check: isNoWord},
		{kind: "authorization", hints: []string{"authorization:"}, inWord: true, pattern: `(?i:authorization): {0,3}([A-Za-z0-9._~+/-]{16,}={0,2})`, check: isRandom},
		{kind: "authorization", hints: []string{"bearer "}, pattern: `(?i:bearer) {1,3}([A-Za-z0-9._~+/-]{12,}={0,2})`, check: isNoWord},
		{kind: "cookie", hints: []string{"connect.sid", "phpsessid", "jsessionid", "asp.net_sessionid"}, pattern: `[\w.]+["']?\s?[:=]\s?["']?([\w%.+/=-]{16,})`, check: isRandom},
		{kind: "cookie", hints: []string{"set-cookie"}, pattern: `(?i:set-cookie)\\?["']?\s?[:=]\s?\\?["']?([\w.%-]{1,64}=[^;\s"'\\]+)`, check: isCookieValue},
		{kind: "cookie", hints: []string{"cookie"}, pattern: `(?i:cookie)\\?["']?\s?[:=]\s?\\?["']?([\w.%-]{1,64}=[^;\s"'\\]+(?:; ?[\w.%-]{1,64}=[^;\s"'\\]+)*)`, check: isCookieValue},
		{kind: "password", hints: []string{"machine"},
			pattern: `machine\s{1,8}\S{1,200}\s{1,8}(?:login\s{1,8}\S{1,200}\s{1,8})?(?:account\s{1,8}\S{1,200}\s{1,8})?password\s{1,8}([^\s<$][^\s<]*)`, check: isGiven},
		{kind: "password", hints: []string{"identified"}, pattern: `(?i:identified)\s{1,4}(?i:with\s{1,4}\S{1,60}\s{1,4})?(?:(?i:by|as)\s{1,4}(?i:password\s{1,4})?'([^'\s]+)'|BY\s{1,4}"([^"\s]+)")`, check: isGiven},
		{kind: "password", hints: []string{"password"}, inWord: true, pattern: `(?i:password)\s{1,4}(?:=\s{0,4})?N?\(?'([^'\s]{4,})'`, check: isSetting},
	}
}

// filler is in a token of a document.
const filler = "xxxxxxxx"

// rule returns the rule that finds a format.
func (f format) rule() rule {
	r := rule{kind: f.kind, check: func(secret string) bool {
		return !strings.Contains(strings.ToLower(secret), filler) && (f.check == nil || f.check(secret))
	}}
	var prefixes []string
	for prefix := range strings.SplitSeq(f.prefixes, " ") {
		prefixes = append(prefixes, regexp.QuoteMeta(prefix))
		hint := strings.ToLower(prefix)
		if len(hint) >= minHint {
			r.hints = append(r.hints, hint)
			continue
		}
		for _, next := range digitChars + strings.ToLower(capitals) {
			r.hints = append(r.hints, hint+string(next))
		}
	}
	r.pattern = "(?:" + strings.Join(prefixes, "|") + ")" + cmp.Or(f.rest, `[A-Za-z0-9]{20,}`)
	return r
}

// noURL ends a URL.
const noURL = `\s"'` + "`" + `<>\\`

// isURLPassword judges what is between the user and the host of a URL, which may be a port and a path:
// localhost:8080?to=me@host. A password may hold an @ that should have been escaped.
func isURLPassword(password string) bool {
	rest := strings.TrimLeft(password, digitChars)
	isPort := len(rest) < len(password) && rest != "" && strings.IndexByte("?#,;)/", rest[0]) >= 0
	return !isPort && !isPlaceholder(password)
}
