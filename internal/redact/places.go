package redact

// Passwords that have no name beside them. Only their place gives them away: they are an argument of a call,
// or a field of a line in the file of a well-known program.

// placed returns the rules for them.
func placed() []rule {
	const (
		argument = `\s{0,4}["'][^"'\n]*["']\s{0,4},`
		last     = `\s{0,4}["']([^"'\n]+)["']`
	)
	all := []rule{
		// connect(host or URL, user, password)
		{hints: []string{"getconnection(", "pdo(", "mysqli(", "mysqli_connect(", ".connect(", "sequelize("}, inWord: true, pattern: `[\w.]+\(` + argument + argument + last, check: isArgument},
		{hints: []string{".connect("}, inWord: true, pattern: `\.connect\(\s{0,4}["'][\w$]+/([^"'@\s]+)@`}, // Oracle
		{hints: []string{"authprovider(", "callbackhandler(", "basic_auth(", "credentials(", "passwordauthentication("}, inWord: true, // user, password
			pattern: `\w+\(` + argument + `\s{0,4}(?:\w+\()?["']([^"'\n]+)["']`, check: isArgument},
		{hints: []string{"<auth-user-pass>"}, pattern: `<auth-user-pass>\s*\S+\s*\n\s*(\S+)\s*\n\s*</`},
		{kind: "cookie", hints: []string{"wordpress_logged_in", "wordpress_sec_"}, pattern: `\w+=([\w%.|-]{40,})`},
		{kind: "secret", hints: []string{"totp", "otp ", "2fa ", "mfa "}, pattern: `(?i:[a-z0-9]+)[^\n]{0,60}?\b([A-Z2-7]{16,})\b`, check: isRandom},
		{hints: []string{"@tcp(", "@unix("}, inWord: true, find: beforeAddress}, // user:password@tcp(host)
		{hints: []string{"sp_addlogin", "sp_password"}, pattern: `\w+\s{1,4}(?:@\w+\s?=\s?)?N?'[^'\n]*'\s?,\s?(?:@\w+\s?=\s?)?N?'([^'\n]+)'`},
		{hints: []string{"identified by "}, pattern: `(?i:identified by) ([^\s"';,]+)`, check: isArgument},                                                                // a word is prose
		{hints: []string{" on >"}, inWord: true, before: `user \S+$`, pattern: ` on >(\S+)`},                                                                              // Redis: user shop on >password
		{hints: []string{" * "}, before: `(?:^|\n)["'\w.@-]+$`, inWord: true, pattern: ` \* ["']?([^"'\s*]+)["']? +(?:\*|[\d.]+)`, check: isArgument},                     // chap-secrets: user * password *
		{hints: []string{"]:25", "]:465", "]:587", "]:2525"}, inWord: true, before: `\[[\w.-]+$`, pattern: `\]:\d+\s{1,8}[^\s:]+:(\S+)`},                                  // sasl_passwd: [host]:587 user:password
		{hints: []string{":5432:", ":5433:", ":6432:", ":*:"}, inWord: true, before: `[\w.*-]$`, pattern: `:(?:\d+|\*):[\w*-]+:[\w*.@-]+:([^\s:"']+)`, check: isArgument}, // .pgpass: host:port:database:user:password
		{kind: "authorization", hints: []string{"digest username="}, pattern: `(?i:digest) [^\n]*?response=\\?"([0-9a-f]{32,128})\b`},
		{kind: privateKey, hints: []string{"pfx", "p12", "pkcs12"}, pattern: `(?:pfx|p12|pkcs12)[\w-]{0,20}\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(MII[A-Za-z0-9+/]{60,}={0,2})`},
	}
	return ofPasswords(all)
}

// beforeAddress finds the password in front of the address of a data source.
func beforeAddress(text string, hint, from int) (span, bool) {
	start := hint
	from = max(from, hint-maxLooked)
	for start > from && !isSpace(text[start-1]) && !isQuote(text[start-1]) && text[start-1] != ':' {
		start--
	}
	isUser := start > from+1 && text[start-1] == ':' && isName(text[start-2])
	return span{start, hint}, isUser && start < hint && isGiven(text[start:hint])
}
