package redact

import (
	_ "embed"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:embed testdata/secrets.txt
var secretForms string

//go:embed testdata/ordinary.txt
var ordinaryLines string

// maxStored is the maximum number of the 170 lines that may keep their secret: a random value may look like a word.
const maxStored = 8

// TestForms gives each form a new value in each run. The secret is removed, and the text around it stays.
func TestForms(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	lines := 0
	var stored, damaged []string
	for form := range forms(secretForms) {
		before, secret, after := fill(form, random)
		lines++
		clean, kinds := Text(before + secret + after)
		if strings.Contains(clean, secret) {
			stored = append(stored, form+"\t"+before+secret+after)
			continue
		}
		require.NotEmpty(t, kinds)
		if !strings.HasPrefix(clean, before) || !strings.HasSuffix(clean, after) {
			damaged = append(damaged, form+"\t"+before+secret+after+"\t"+clean)
		}
	}
	assert.Empty(t, damaged, "seed %d", seed)
	require.GreaterOrEqual(t, lines, 170)
	assert.LessOrEqual(t, 170*len(stored), lines*maxStored, "seed %d:\n%s", seed, strings.Join(stored, "\n"))
	t.Logf("seed %d: %d of %d stored\n%s", seed, len(stored), lines, strings.Join(stored, "\n"))
}

// TestOrdinaryLines checks lines that only look like secrets.
func TestOrdinaryLines(t *testing.T) {
	lines := 0
	var cut []string
	for line := range forms(ordinaryLines) {
		lines++
		if clean, _ := Text(line); clean != line {
			cut = append(cut, clean)
		}
	}
	assert.Empty(t, cut, "%s", strings.Join(cut, "\n"))
	require.GreaterOrEqual(t, lines, 60)
}

// forms yields the lines of a file that are neither empty nor comments.
func forms(file string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(file) {
			line = strings.TrimSuffix(line, "\n")
			if line == "" || line[0] == '#' && line[1] == ' ' {
				continue
			}
			if !yield(strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(line)) {
				return
			}
		}
	}
}

// fill replaces the placeholders of a form by random characters, and returns the secret and the text around it.
func fill(form string, random *rand.Rand) (before, secret, after string) {
	alphabets := map[byte]string{'a': alnum, 'x': lower + digits, 'h': hex, 'd': digits, 'L': large, 'l': lower, 'm': mixed, 's': alnum + "!@#$%^&*"}
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
		for ; isDigit(form[i]); i++ {
			n = 10*n + int(form[i]-'0')
		}
		if form[i] == 'w' {
			text.WriteString(word(n, random))
			continue
		}
		for range n {
			alphabet := alphabets[form[i]]
			text.WriteByte(alphabet[random.IntN(len(alphabet))])
		}
	}
	if !strings.Contains(form, "§") {
		return "", text.String(), ""
	}
	before, secret, _ = strings.Cut(text.String(), "§")
	secret, after, _ = strings.Cut(secret, "§")
	return before, secret, after
}

// word is a password of n characters as a person makes it up: a word, a number, a mark.
func word(n int, random *rand.Rand) string {
	const words = "Falkenstein Hummingbird Marzipantorte Winterferien Sommergarten Quicksilver"
	all := strings.Fields(words)
	return all[random.IntN(len(all))][:n-3] + digits[random.IntN(10):][:1] + string(digits[random.IntN(10)]) + string("!?#$*"[random.IntN(5)])
}

// TestStays checks the forms that SECURITY.md lists as known to stay.
func TestStays(t *testing.T) {
	for _, text := range []string{
		"the password is swordfish", "the token is swordfish12", "password: swordfish is ours", "PASSWORD=swordfish.harbour", "PASSWORD=mysecretpassword", "PASSWORD=483920",
		"PASSWORD=abcde(fghij)", "password := swordfish", "  db.password = swordfish;", "\tPassword: swordfish,", "login: deploy:Swordfish12", "password:\nSwordfish12", "bob / Swordfish12", "session_id=" + made(32, hex), "postgres://postgres:postgres@db", "c3dvcmRmaXNoMTI=",
		"password: guest", "passphrase: swordfish is ours", "Cookie: sid=Swordfish12", `"ferry" "Swordfish12"`, "AKIAIOSFODNN7EXAMPLE",
	} {
		clean, _ := Text(text)
		require.Equal(t, text, clean)
	}
}
