package redact_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/redact"
	"whence/internal/test/repotest"
)

func TestText(t *testing.T) {
	clean, kinds := redact.Text("deploy with ghp_" + strings.Repeat("a1B2", 9) + " and <private>the old one</private>, ghp_" + strings.Repeat("c3D4", 9) + "!")
	require.Equal(t, "deploy with [redacted: GitHub token] and [private], [redacted: GitHub token]!", clean)
	require.Equal(t, []string{"GitHub token", "private text"}, kinds)
	clean, kinds = redact.Text("AWS: AKIA" + strings.Repeat("Q7", 8) + "," + strings.Repeat("x7/Y", 10) + "\n")
	require.Equal(t, "AWS: [redacted: AWS access key],[redacted: secret]\n", clean)
	require.Equal(t, []string{"AWS access key", "secret"}, kinds)
	clean, _ = redact.Text("DB_PASSWORD=ghp_" + strings.Repeat("a1B2", 9))
	require.Equal(t, "DB_PASSWORD=[redacted: GitHub token]", clean)
}

func TestReplaceMarks(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "no mark": "no mark", "[private]": "X", "a [private] b [redacted: key] c": "a X b X c",
		"[redacted: open": "[redacted: open", "[[private]]": "[X]", "[redacted: [private]": "X", "[redacted: ]": "X", "[other] [": "[other] [", "[redacted: a\nb]": "X",
	} {
		require.Equal(t, want, redact.ReplaceMarks(text, "X"), text)
	}
	clean, kinds := redact.Text("it is <private>this</private> and AKIAIOSFODNN7FERRYQQ too")
	require.NotEmpty(t, kinds)
	require.NotContains(t, redact.ReplaceMarks(clean, ""), "[", clean)
}

func TestPrivate(t *testing.T) {
	for text, want := range map[string]string{
		"a <private>b</private> c":                        "a [private] c",
		"a <PRIVATE>b</Private> c":                        "a [private] c",
		"a <private>b\nc</private> <private>d</private>e": "a [private] [private]e",
		"a <private>b <private>c</private> d</private> e": "a [private] e",
		"a <private>b":                                              "a [private]",
		"a <private>b <private>c</private> d":                       "a [private]",
		"a</private> b":                                             "[private] b",
		"<private>a</private> b</private> c":                        "[private][private] c",
		`a <private why="so">b</private > c`:                        "a [private] c",
		"a &lt;private&gt;b&lt;/private&gt; c":                      "a [private] c",
		`a \u003cprivate\u003eb\u003c/private\u003e c`:              "a [private] c",
		`a <private>b<\/private> c`:                                 "a [private] c",
		"put it into `<private>`":                                   "put it into `<private>`",
		"put it before `</private>`":                                "put it before `</private>`",
		"use `<private>` and `</private>` for it":                   "use `[private]` for it",
		"<private>a, see `<private>`, or `</private>` b</private>c": "[private]c",
		"`<private>a</private>` b":                                  "`[private]` b",
		"<private>a `</private>` b":                                 "[private]",
		"<privateer> and <private-key> private> /private":           "<privateer> and <private-key> private> /private",
		"<private\n>":                                               "<private\n>",
		"Priv <privat":                                              "Priv <privat",
	} {
		clean, kinds := redact.Text(text)
		require.Equal(t, want, clean, text)
		require.Equal(t, clean != text, len(kinds) == 1, text)
	}
}

// The time for any text grows linearly with its length.
func TestTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const size = 1 << 14
	key := "-----BEGIN " + "PRIVATE KEY-----"
	parts := []string{
		"ghp_", "eyJ", "eyJ.", "eyJaaaaaaaaaaa.eyJ", "sk-", "sk-ant-", "token", "token=", "token='", "token: a = ", "password=a1", "<password>", "://", "://a:", "://a:b@", "://a:b1,", "AKIA", ":AA", "1:AA",
		"MTA", key, key + "\n", key + "\nabc\n", "-----END " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----\nabc\n", "-----BEGIN ", "-----", "<private>", "</private>", "<private ", "`<private>`", "private", "v", `\n`, "machine ", "machine a login ",
		"Authorization: ", "bearer ", "_auth=", "a.atlasv1.", "secret_access_key=", "xoxb-", "github_pat_", "[redacted: ", "--token ", "a8Q~", "SG.", "token_", "-token", "\\\"", "sig=", "password\"'`", "hooks.slack.com/services/",
		"the password is ", "password for ", "password is hunter2x ", "API key ", "use a1b2c3d4 as the password ", "as the ", "curl ", "curl -u a:b1c2 ", "curl -u a: ", "curl -b a=b; ", "mysql -p", "echo a ", "echo a | ", "htpasswd -b ", "net use ", "docker login ",
		"cookie: a=b; ", "cookie: a=", "private-lines: 1\n", "fernet ", "identified by ", "password '", "pass:", "_pass", "key_", "auth=", "is ", "https://a", "://aB1cD2eF3gH4iJ5k@", "unzip ", "-pass pass:",
		"password:\n ", "password: |\n ", "PASSWORD=a1b2;", "PASSWORD=a1b2c3d4,", "setPassword(\"", "(\"password\", \"", "password: a", "password []", "PASSWORD_A \"",
		"| password ", "|password|\n|--|\n|a1b2c3d4e|\n", "name: A_TOKEN\nvalue: ", "variable \"a_token\" {", "<key>token</key><string>", " / ", "use a / a1b2c3D4 ", "schlüssel: ", "Passwörter: ", "password (", "PAT is ", "http -a ", "http -a b:c1 ", "sqlplus a/", "AUTH ", ">AUTH a ", "requirepass ", "put-parameter --value a ", "put-parameter SecureString ", "ssh-keygen -N ", "auth=(\"", "auth=(\"a\", ", "openssl enc -k ", "curl -x a:b", "pw ", "name=\"token\">", "A_TOKEN\t", "LS0tLS1CRUdJTi", "eyJhdXRocyI6",
		"\n-password = ", "token'ı ", "a1b2c3d şifresiyle ", "motDePasse", "MOT_DE_PASSE=", "PDO->__construct('a', ", "Client('AC", "codecov -t ", "user / a1 ", "password>{",
		"kind: Secret\ndata:\n a: bcd\n", "kind: Secret\n", "data:\n", "data: {", "passphrase: ", "passphrase is abc def ", "PIN ", "door code ", "backup codes ", "pass show x\n", "kubectl get secret ", "new password\n", "getConnection(a, ", "login as a \"", "define('AUTH_KEY', '", "secure_link_md5 \"", "rotated the key ", "AUTH_SALT=", "s.a1", "password: &str, ", "password: Cow<'a", "pk.eyJ", "-signature=", "-us1", "1/1", "{password, \"", "auth_pass ", "\nauth_pass ", "a.b.password ", "admin / ", "admin:", "login as a with ", "net user a ", "freerdp /p:", "rocommunity ", "password [", "heslo:", "密码", "<private ", "&lt;private ", "&key=", "user = \"a:", "impdp a/", "PASSWORD: a<b,",
	}
	for _, part := range repotest.Sample(parts, 8, rand.IntN(8)) {
		for _, tail := range repotest.Sample([]string{"", " ", "a"}, 3, rand.IntN(3)) {
			text := func(size int) string { return strings.Repeat(part+tail, size/len(part+tail)) }
			t.Run(part+tail, func(t *testing.T) {
				repotest.RequireLinear(t, size, func(size int) func() {
					text := text(size)
					return func() { redact.Text(text) }
				})
			})
			clean, _ := redact.Text(text(size))
			again, _ := redact.Text(clean)
			require.Equal(t, len(clean), len(again))
		}
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"token = ghp_" + strings.Repeat("a1", 18), "<private>a</private>", "`<private>` </private>", "postgres://a:b1c@d", "password='x1x2x3x4'", "AKIA" + strings.Repeat("Q7", 8),
		"-----BEGIN " + "PRIVATE KEY-----\nMIIabc\n-----END " + "PRIVATE KEY-----", "Authorization: Basic dXNlcjpwYXNz", "password: a = 'hunter2x'", "password=[redacted: x]hunter2x", "the password is hunter2x", "use a1b2c3d4 as the password", "API key: FjUgx" + "QweRt", "curl -s -u me:hunter2 x", "mysql -phunter2", "htpasswd -b a b c1d2", "echo a1b2 | gh auth login --with-token", `net use \\a\b /user:c d1e2`,
		"Cookie: a=b; c=x7Kq2mPz9aB3", "Private-Lines: 1\nabcdefghijklmnopqrstuvwx", "PASSWORD 'x1y2z3'", `{"auth":"dXNlcjpwYXNz"}`, "https://aB1cD2eF3gH4iJ5k@h", "DB_PASS=[redacted: x]y", "eyJhbGciOiJI.eyJhbGciOiJI.a",
		"A_PASSWORD=a1b2c3d4;[redacted: x]e5f6", "password: |\n  hunter2x\n", `Setenv("DB_PASSWORD", "hunter2x")`, `setPassword("hunter2x")`, `var password string = "hunter2x"`, "${PASS:-hunter2x}",
		"| password | Hunter2!x |", "name: A_PASSWORD\nvalue: hunter2x", "variable \"a_password\" {\n default = \"hunter2x\"\n}", `<key>password</key><string>hunter2x</string>`, `<a name="password">hunter2x</a>`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean, kinds := redact.Text(text)
		if (clean == text) != (len(kinds) == 0) {
			t.Fatalf("%q: %q, kinds %v", text, clean, kinds)
		}
		if again, kinds := redact.Text(clean); again != clean || len(kinds) > 0 {
			t.Fatalf("%q\n%q\n%q", text, clean, again)
		}
	})
}

// The text before a secret does not protect it: the beginning of a mark, a brace in another value, a long value.
func TestNothingProtectsASecret(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2", 9)
	long := strings.Repeat("x7Kq ", 80)
	for text, secret := range map[string]string{
		"see [redacted: " + token + " ok":                                                    token,
		"see [redacted: " + token + "] ok":                                                   token,
		"[redacted: \n\nexport A_TOKEN=" + token:                                             token,
		"marks are `[redacted: ` and it is " + token:                                         token,
		`{"kind":"Secret","stringData":{"a":"x}y9hunter","b":"hunter2xyz"}}`:                 "hunter",
		`"{\"kind\":\"Secret\",\"stringData\":{\"a\":\"x}y9hunter\",\"b\":\"hunter2xyz\"}}"`: "hunter",
		"kind: Secret\nstringData:\n  a: pa{ss}9hunter\n":                                    "hunter",
		"kind: Secret\nstringData:\n  a: abc, def9hunter\n":                                  "hunter",
		"kind: Secret\nstringData:\n  a: abcdef\\ghij9hunter\n":                              "hunter",
		"kind: Secret\nstringData: {a: abc, b: def9hunter}\n":                                "hunter",
		`password="` + strings.TrimSpace(long) + ` tail9secret"`:                             "tail9secret",
		`password="` + strings.Repeat("x7Kq", 80) + ` tail9secret"`:                          "tail9secret",
	} {
		clean, kinds := redact.Text(text)
		require.NotContains(t, clean, secret)
		require.NotEmpty(t, kinds)
		again, _ := redact.Text(clean)
		require.Equal(t, clean, again)
	}
}
