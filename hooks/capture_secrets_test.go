package hooks_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// secretForms are forms of secrets that a format or a name gives away: % stands for as many
// random characters as follow it, of an alphabet: a letters and digits, h of a hexadecimal
// number, d digits, L large letters, m letters, l small letters, x small letters and digits, s with
// !@#$%^&*, w letters before two digits and a mark. The text between § and § must not be found;
// without them it is all. More of them are in testdata of internal/redact.
var secretForms = []string{
	"ghp" + "_%36a", "gho" + "_%36a", "github" + "_pat_%22a_%59a", "glpat" + "-%20a", "GR" + "1348941%20a", "AKIA" + "%16L", "ASIA" + "%16L",
	"aws_secret_access_key = §%40a§", "xoxb" + "-%12d-%12d-%24a", "https://hooks.slack.com/services/§T%8L/B%8L/7%24a§", "https://discord.com/api/webhooks/§%18d/%68a§",
	"MTA" + "%23a.%6a.%38a", "%10d:AA" + "%33a", "SK" + "%32h", "SG" + ".%22a.%43a", "sk" + "_live_%24a", "whsec" + "_%32a", "shpat" + "_%32h",
	"sk-ant" + "-api03-%93aAA", "sk-proj" + "-%48a", "sk" + "-%20aT3BlbkFJ%20a", "gsk" + "_%52a", "xai" + "-%80a", "pplx" + "-%48a", "r8" + "_%37a", "hf" + "_%34m",
	"AIza" + "%35a", "GOCSPX" + "-%28a", "ya29" + ".a0%99a", "AccountName=x;AccountKey=§%86a§==;", "https://a.blob.core.windows.net/c?sv=2022&sig=§%43a§%%3D&se=2030",
	"dop" + "_v1_%64h", "cfut" + "_%48a", "HRKU" + "-AA%58a", "dapi" + "%32h", "hvs" + ".%95a", "%14a.atlasv1.%67a", "pul" + "-%40h", "tskey" + "-auth-%12a-%30a",
	"sbp" + "_%40h", "npm" + "_%36a", "//registry.npmjs.org/:_authToken=§%8h-%12h§", "pypi-AgEIcHlwaS5vcmc" + "%99a", "rubygems" + "_%48h", "dckr" + "_pat_%27a",
	"ATBB" + "%32a", "lin" + "_api_%40a", "ntn" + "_%46a", "figd" + "_%40a", "PMAK" + "-%24h-%34h", "glsa" + "_%32a_%8h", "NRAK" + "-%27L",
	"eyJ%33a.eyJ" + "%60a.%43a", "curl -H 'Authorization: Bearer §%30a§' https://x", "postgres://admin:§%12a7x§@db/ferry", "machine example.org login me password §%12a7§",
	"DB_PASSWORD=§%12a7x§", `{"password": "§%12a7x§"}`, "mysql --password=§%12a7x§ -u root", "client_secret: §%32a§", "token = §%32h§", "API_KEY=§%20h§",
	"-----BEGIN " + "RSA PRIVATE KEY-----\n§%64a\n%64a§\n-----END " + "RSA PRIVATE KEY-----",
	"dp" + ".pt.%43a", "LTAI" + "%20a", "EZAK" + "%54a", "pscale" + "_tkn_%43a", "xkeysib" + "-%64h-%16a", "shippo" + "_live_%40h", "sha256" + "~%43a", "pnu" + "_%36a", "tk" + "-us-%48a", "glrt" + "-%20a", "glptt" + "-%40h", "sntryu" + "_%64h",
	"api_key = '§%40a§'", `"auth_token": "§%40a§"`, "access_key: §%32a§", "client_credential=§%32a§", "passwd = '§%24a§'",
	"<private>§the harbour code is %8a§</private>", "before it &lt;private&gt;§no. %9a§&lt;/private&gt; and behind", "<PRIVATE>§a %9a b§</PRIVATE>",
}

// looseForms lists forms of secrets that are found by a name, an option or a sentence, and whose values have no digits
// that would distinguish them from words.
var looseForms = []string{
	"DB_PASS=§%20m§", "smtp_pass: §%20m§", `{"pass":"§%20m§"}`, "ansible-playbook site.yml -e ansible_become_pass=§%20m§", "DB_PASSWORD=§%20m§", "DB_PASSWORD=§%16l§", `"password": "§%20l§"`, "password: §%16a§",
	"OPENAI_API_KEY=sk" + "-proj-§%40m§", "glpat" + "-%20m", "sk-ant" + "-api03-%90m", "client_secret: §%32m§", `secretKey = "§%24m§"`, "access_token=§%40m§", "X-Api-Key: §%32m§", "AZURE_DEVOPS_EXT_PAT=§%52l§", "STRIPE_KEY=§%24a§",
	"the password is §%20m§", "the password is §%12a§.", "my password is §%20m§.", "password for admin: §%20m§", "the API key is §%32m§", "API key §%32a§ works", "my api key: §%24m§", "use §%20m§ as the password", "token: §%24m§",
	"the token is §%28m§", "the secret is §%20m§", "das Passwort ist §%20m§", "the password was changed to §%20m§",
	"curl -u admin:§%20m§ https://x.example.org", "curl -s --user 'admin:§%20m§' https://x", "mysql -u root -p§%20m§ ferry", "mysql --password=§%16l§ ferry", "sshpass -p §%20m§ ssh a@b", "docker login -u me -p §%20m§ r.example.org",
	"redis-cli -a §%16l§ ping", "unzip -P §%20m§ a.zip", "7z x -p§%20m§ a.7z", "openssl enc -aes-256-cbc -pass pass:§%20m§ -in a", "openssl rsa -passin pass:§%16l§ -in a", "htpasswd -b file me §%20m§",
	`net use Z: \\srv\x /user:me §%20m§`, "aws configure set aws_secret_access_key §%40a§", "PGPASSWORD=§%16l§ psql -h x", "wget --password=§%16l§ x", "kubectl create secret generic s --from-literal=a=§%20m§",
	"echo §%40m§ | gh auth login --with-token", "helm install x --set db.password=§%20m§", "npm config set //registry.npmjs.org/:_authToken §%36a§", "mongosh -u me -p §%20m§ x", "ldapsearch -D cn=a -w §%20m§ -b x", "smbclient //a/b -U me%%§%20m§",
	"https://§%40a§@github.com/a/b.git", "see https://deploy:§%20m§@git.example.org/x, it fails", "git clone https://u:§%20m§@h/x", `psql "postgres://u:§%16l§@h/d"`, `{"auths":{"r.example.org":{"auth":"§%40a§"}}}`,
	"client-key-data: §%88a§==", `"private_key_id": "§%40h§"`, "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n§%48a§\nPrivate-MAC: x", "Private-MAC: §%64h§", "Fernet(b'§%43a=§')", "FERNET_KEY=§%43m=§",
	"ALTER ROLE ferry PASSWORD '§%20m§'", "CREATE USER a IDENTIFIED BY '§%16l§'", "Cookie: lang=en; session=§%32a§", "Set-Cookie: sid=§%32m§; Path=/", "<x>machine example.org login me password §%20m§</x>",
	"DATABASE_URL=mysql2://ferry:§%16a§@db/ferry", "export VAULT_TOKEN=§%24m§", "signing_key = '§%32m§'", "?password=§%20m§&user=me", "<password>§%20m§</password>",
}

// ordinaryTexts lists texts that look like secrets but are not.
var ordinaryTexts = []string{
	"ssh -p 2222 deploy@ferry.example.org", "mkdir -p build/out", "docker run -p 8080:80 ferry", "cp -p a b && tar -xpf c.tar", "psql -p 5432 -U ferry", "git log -p -3", "id = Column(Integer, primary_key=True)",
	"commit 3f1c2a9b8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a broke the build", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 is the image", "request 550e8400-e29b-41d4-a716-446655440000 took 3 s",
	"send the Authorization header with each request", "data: aGVsbG8gd29ybGQgb2YgZmVycmllcw==", "if x:\n    pass\nelse:\n    return", "tests pass: 12", "pass: true", "PASS: TestFerry2", "--- PASS: TestFoo (0.00s)", "key: value",
	"cookie policy: strict", "it is a secret santa", "token bucket: 12/s", "tokenizer: o200k_base", "auth: basic", "the password is stored in the vault", "the token is expired", "the API key is missing", "the secret is rotated weekly",
	"password is required", "max_tokens: 4096, token_count=12", `os.environ["DB_PASSWORD"] is read by connect(password: string)`, "DB_PASSWORD=${DB_PASSWORD} API_KEY=<your-api-key>", "sort_key = 'created_at', cache_key=ferry-v2",
	"password = getpass.getpass()", "curl -u $USER:$PASS https://x.example.org", "mysql -u root -p ferry", "postgres://user:password@localhost/ferry", "the foreign key is on delete cascade", "publicKey: ed25519", "token := parser.next()",
}

// planter makes random secrets.
type planter struct {
	random  *rand.Rand
	planted map[string]string // where, by what must not be found
}

// plant returns a text with a secret of a form.
func (p *planter) plant(form, where string) string {
	alphabets := map[byte]string{'h': "0123456789abcdef", 'd': "123456789", 'L': "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
	alphabets['l'] = strings.ToLower(alphabets['L'])
	alphabets['m'] = alphabets['l'] + alphabets['L']
	alphabets['a'] = strings.ToLower(alphabets['L']) + alphabets['L'] + "0123456789"
	alphabets['x'], alphabets['s'], alphabets['w'] = alphabets['l']+"0123456789", alphabets['a']+"!@#$%^&*", alphabets['m']
	var text strings.Builder
	for i := 0; i < len(form); i++ {
		if form[i] != '%' {
			text.WriteByte(form[i])
			continue
		}
		if i++; form[i] == '%' {
			text.WriteByte('%')
			continue
		}
		n := 0
		for ; form[i] >= '0' && form[i] <= '9'; i++ {
			n = 10*n + int(form[i]-'0')
		}
		made := make([]byte, n)
		for k := range made {
			made[k] = alphabets[form[i]][p.random.IntN(len(alphabets[form[i]]))]
		}
		if form[i] == 'a' || form[i] == 'h' {
			copy(made[1:], "7a3")
		}
		if form[i] == 'w' {
			copy(made[n-3:], "47#")
		}
		text.Write(made)
	}
	before, rest, marked := strings.Cut(text.String(), "§")
	secret, after, _ := strings.Cut(rest, "§")
	if !marked {
		before, secret = "", before
	}
	const minLine = 4 // what a block of YAML begins with is no secret
	for line := range strings.Lines(secret) {
		if line = strings.TrimSpace(line); len(line) >= minLine || line == secret {
			p.planted[line] = where + " of the form " + form
		}
	}
	return before + secret + after
}

// runProgram runs a program as an agent does.
func runProgram(t *testing.T, home, dir string, input []byte, args ...string) {
	t.Helper()
	require.NoError(t, tryProgram(home, dir, input, args...))
}

func tryProgram(home, dir string, input []byte, args ...string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(input)
	cmd.Env = append(os.Environ(), "WHENCE_HOME="+home)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w: %s", args, err, out)
	}
	return nil
}
