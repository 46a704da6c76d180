package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each test of a candidate accepts the sentences of its comment. The name and the value are in braces.
func TestCandidates(t *testing.T) {
	for _, x := range []struct {
		accepts   func(c candidate) bool
		isForeign bool
		sentences []string
	}{
		{candidate.isChanged, false, []string{"the {password} of Anna changed to {hunter2x}", "{hasło} zmieniono na {hunter2x}"}},
		{candidate.isMentioned, true, []string{"{パスワード}は{vault42}に保存する"}},
		{candidate.isQuotedPassword, false, []string{`the {password} is "{swordfish}"`}},
		{candidate.isQuotedPassword, true, []string{"{пароль} «{swordfish}»"}},
		{candidate.isInventedPassword, false, []string{"the {password} is {Lobster.Quilt.2}", "the {password}, {Lobster.Quilt.2}"}},
		{candidate.isGivenValue, false, []string{"the {password} for the database is {hunter2x}"}},
		{candidate.isMadeValue, false, []string{"the {token} {a81fd20c9b} is expired", "the {password} of the router ({Zq81mN2x})"}},
		{candidate.isGiven, false, []string{"the {password} of prod is {hunter2x}"}},
		{candidate.isGiven, true, []string{"{пароль} «{hunter2x}»", "{비밀번호} {swordfish9}로"}},
		{candidate.isBeside, false, []string{"{token} {a81fd20c9b}", "the {password} that Anna uses is {Zq81mN2x}"}},
		{candidate.isEnclosed, false, []string{"the {password} of the router ({Zq81mN2x})"}},
		{candidate.isShort, false, []string{"{pass} {Zq81mN2xR}", "the {PAT} {a81fd20c9b}"}},
	} {
		for _, sentence := range x.sentences {
			before, rest, _ := strings.Cut(sentence, "{")
			name, rest, _ := strings.Cut(rest, "}")
			gap, rest, _ := strings.Cut(rest, "{")
			value, after, _ := strings.Cut(rest, "}")
			text := before + name + gap + value + after
			kind := "password"
			if strings.EqualFold(name, "token") {
				kind = "token"
			}
			start := len(before + name + gap)
			c := newCandidate(text, span{len(before), len(before + name)}, span{start, start + len(value)}, kind, x.isForeign)
			require.Equal(t, value, c.word(), sentence)
			require.True(t, x.accepts(c), sentence)
			_, kinds := Text(text)
			require.Equal(t, c.isMentioned(), len(kinds) == 0, sentence)
		}
	}
}
