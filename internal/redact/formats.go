package redact

import (
	"regexp"
	"strings"

	"whence/internal/text"
)

// format describes the secrets of a service. Lengths are lower bounds somewhat below what the
// makers issue, so that a longer token of tomorrow is still found.
type format struct {
	kind string

	// prefixes are the beginnings of a secret, separated by spaces, in the case in which they are written.
	prefixes string

	// rest matches what follows a prefix. Its groups are the secret, or the whole match if it has none.
	rest string

	// check, if any, rejects matches that are words.
	check func(secret string) bool
}

// formats are the documented ones. A new format needs examples in rules_test.go.
var formats = []format{
	{"GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", `(?:[A-Za-z0-9]{30,}|\d{1,20}_eyJ[\w-]{20,}(?:\.[\w-]+)*)`, nil},
	{"GitHub token", "github_pat_", `\w{40,}`, nil},
	{"AWS access key", "AKIA ASIA", `[A-Z0-9]{16}\b`, nil},
	{"Slack token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xoxe.xoxb- xoxe.xoxp-", `[A-Za-z0-9%-]{12,}`, isNoWord},
	{"Slack webhook", "hooks.slack.com/", `(?:services|workflows|triggers)/([A-Za-z0-9+/]{24,})`, isNoWord},
	{"Discord webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", `\d{15,}/([\w-]{40,})`, nil},
	// The number of a bot in base 64 begins with one of these.
	{"Discord token", "MD MT Mj Mz ND NT Nj Nz OD OT", `[AEIMQUYcgk][\w-]{20,25}\.[\w-]{6}\.[\w-]{27,}`, nil},
	{"Stripe key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", `[A-Za-z0-9]{16,}`, nil},
	{"Azure SAS signature", "sig= Sig= SIG=", `((?:[A-Za-z0-9+/_-]|%[0-9A-Fa-f]{2}){40,}(?:=|%3[Dd])?)`, nil},
	{"age secret key", "AGE-SECRET-KEY-1 age-secret-key-1", `(?i:[02-9AC-HJ-NP-Z]{40,})`, nil},
	{"Okta token", "SSWS", ` (00[\w-]{30,})`, nil},
	{"Asana token", "1/ 2/", `(?:\d{12,}/)?\d{12,}:[0-9a-f]{32}\b`, nil},
	// Groq, xAI, Perplexity, Replicate, Hugging Face, npm, Bitbucket, Linear, Notion.
	{accessToken, "gsk_ xai- pplx- r8_ hf_ api_org_ npm_ ATBB lin_api_ lin_oauth_ ntn_", `[A-Za-z0-9]{20,}`, isNoWord},
	// GitLab, Anthropic, OpenAI, Google, Cloudflare, Heroku, Vault, Tailscale, Supabase, PyPI, Docker Hub, Figma, CircleCI, Mercado Pago.
	{accessToken, "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- glffct- GR1348941 sk-ant- sk-proj- sk-svcacct- sk-admin- " +
		"AIza AQ.Ab GOCSPX- 4/0A ya29. cfut_ cfat_ cfk_ HRKU- hvs. hvb. hvr. tskey- sb_secret_ pypi-Ag dckr_pat_ dckr_oat_ figd_ CCIPAT_ CCIPRJ_ APP_USR-",
		`[\w-]{20,}(?:\.\w{2}\.\w{7,})?`, isNoWord},
	// Atlassian, Grafana, Sentry, Stripe's webhooks, 1Password.
	{accessToken, "ATATT3 ATCTT3 glsa_ glc_ sntrys_ sntryu_ whsec_ ops_ey", `[\w+/=-]{24,}`, isNoWord},
	// Shopify, DigitalOcean, Pulumi, Supabase, RubyGems; Twilio, Databricks, Mailgun.
	{accessToken, "shpat_ shpss_ shpca_ shppa_ dop_v1_ doo_v1_ dor_v1_ pul- sbp_ rubygems_", `[0-9a-fA-F]{32,}`, nil},
	{accessToken, "SK dapi key-", `[0-9a-f]{32}(?:-\d)?\b`, nil},
	// Cloudflare, Postman; SendGrid, Mapbox; New Relic.
	{accessToken, "v1.0- PMAK-", `[0-9a-f]{24}-[0-9a-f]{34,}`, nil},
	{accessToken, "SG. pk.eyJ sk.eyJ tk.eyJ", `[\w-]{16,}\.[\w-]{16,}`, isNoWord},
	{accessToken, "NRAK- API-", `[A-Z0-9]{26,}`, isNoWord},
	{accessToken, "A3-", `[A-Z0-9]{6}-[A-Z0-9-]{23,}`, isNoWord},
	{accessToken, "pat", `[A-Za-z0-9]{14}\.[0-9a-f]{64}`, nil},
	{accessToken, "pat-", `(?:na|eu|ap)\d-[0-9a-f-]{30,}`, nil},
	{accessToken, "LTAI AKCp ABSK CLOJARS_ dp.pt. dp.st. fio-u- ico- EZAK EZTK EAAM EAAC pnu_ rdme_ sm_aat_ sm_pat_ sm_sat_ AKID re_ fw_ fc- nfp_ rnd_ phc_ phx_ alcht_ nvapi- csk- rpa_ e2b_ apify_api_ oy2 CFPAT- hcaik_ napi_ " +
		"pcsk_ lsv2_pt_ lsv2_sk_ ls__ tvly- tvly-dev- tvly-prod- tgp_v1_ jina_ sk_ xsmtpsib- bkua_ ATTA Zxlk bb_live_ rzp_live_ rzp_test_ vcp_ figu_ akab-", `(?:\w{1,12}[._-]|)[A-Za-z0-9]{20,}(?:[._-][A-Za-z0-9]+)*`, isRandom},
	{accessToken, "p8e- duffel_test_ duffel_live_ dt0c01. EAAA sq0atp- sq0csp- FLWSECK fo1_ fm1a_ fm1r_ fm2_ pscale_tkn_ pscale_oauth_ pscale_pw_ tk-us- xkeysib- shippo_live_ shippo_test_ sgp_ sha256~ tfp_ AQVN dnkey- squ_ sqp_ sqa_ ZXlK s-s4t2ud- s-s4t2af-",
		`[\w.+/-]{22,}={0,3}`, isNoWord},
	// The beginning of a PEM block in base 64.
	{privateKey, "LS0tLS1CRUdJTiBQUklW LS0tLS1CRUdJTiBSU0EgUFJJ LS0tLS1CRUdJTiBFQyBQUklW LS0tLS1CRUdJTiBEU0EgUFJJ LS0tLS1CRUdJTiBPUEVOU1NI LS0tLS1CRUdJTiBFTkNSWVBU", `[A-Za-z0-9+/]{40,}={0,2}`, nil},
	{"authorization", "eyJhdXRocyI6 ewogICJhdXRocyI6", `[A-Za-z0-9+/]{30,}={0,2}`, nil},
}

// structures returns the rules for secrets that are recognized by more than a prefix.
func structures() []rule {
	return []rule{
		{kind: privateKey, hints: []string{"-----begin"}, inWord: true, pattern: pemBlock},
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
		{kind: "secret", hints: []string{markBegin + "aws access key"}, inWord: true, // beside the id, as in the file of the console
			pattern: `\[redacted: AWS access key\]["']?[,:;\t ]["']?([A-Za-z0-9/+]{40})\b`},
		{kind: "signature", hints: []string{"-signature=", "-security-token=", "?signature=", "&signature="}, inWord: true, pattern: `[^=]{1,16}=((?:[\w+/=-]|%[0-9A-Fa-f]{2}|~){40,})`},
		{kind: "webhook", hints: []string{".webhook.office.com/"}, inWord: true, pattern: `\.webhook\.office\.com/webhookb2/([\w@/-]{60,})`},
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
	r.pattern = "(?:" + strings.Join(prefixes, "|") + ")" + f.rest
	return r
}

// noURL ends a URL.
const noURL = `\s"'` + "`" + `<>\\`

// port matches a port and what is behind it.
var port = text.Lazy(`^\d+[?#,;)/]`)

// isURLPassword judges what is between the user and the host of a URL, which may be a port and a path:
// localhost:8080?to=me@host. A password may hold an @ that should have been escaped.
func isURLPassword(password string) bool {
	return !port().MatchString(password) && !isPlaceholder(password)
}
