package redact

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each row of gitleaks finds the text that its own pattern describes, and removes all of it.
func TestFormatsOfGitleaks(t *testing.T) {
	_, table, _ := strings.Cut(formatTable, fromGitleaks)
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	rows := 0
	for line := range strings.Lines(table) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 5 {
			continue
		}
		rows++
		re, err := syntax.Parse(fields[4], syntax.Perl)
		require.NoError(t, err)
		secret := described(re, random)
		if !hasDigit(secret) {
			continue
		}
		clean, _ := Text("see " + secret + " there")
		assert.NotContains(t, clean, secret[len(secret)/2:], "seed %d: %s", seed, line)
	}
	require.Greater(t, rows, 70)
}

// described is a text that a pattern matches.
func described(re *syntax.Regexp, random *rand.Rand) string {
	var text strings.Builder
	repeat := func(n int) {
		for range n {
			text.WriteString(described(re.Sub[0], random))
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		for { // of the ASCII ones
			i := 2 * random.IntN(len(re.Rune)/2)
			if c := re.Rune[i] + random.Int32N(re.Rune[i+1]-re.Rune[i]+1); c <= '~' {
				return string(c)
			}
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "."
	case syntax.OpAlternate:
		return described(re.Sub[random.IntN(len(re.Sub))], random)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			text.WriteString(described(sub, random))
		}
	case syntax.OpCapture:
		repeat(1)
	case syntax.OpRepeat:
		repeat(re.Min)
	case syntax.OpPlus:
		repeat(12)
	}
	return text.String()
}
