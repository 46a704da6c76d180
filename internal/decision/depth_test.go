package decision_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

func TestTooDeep(t *testing.T) {
	for name, test := range map[string]struct {
		src  string
		want int
	}{
		"empty":            {"", 0},
		"ordinary":         {"# A\n\n- a\n  - b\n    - c\n> q\n\n    code\n", 0},
		"rule":             {strings.Repeat("-", 1000) + "\n", 0},
		"indented text":    {"a\n" + strings.Repeat(" ", 5000) + "ascii art\n", 0},
		"quotes":           {"a\n" + strings.Repeat(">", 300) + " x\n", 2},
		"quotes, blanks":   {strings.Repeat("> ", 300) + "x\n", 1},
		"list marks":       {"a\n\n" + strings.Repeat("- ", 300) + "x\n", 3},
		"nested list":      {"a\n" + strings.Repeat(" ", 600) + "- x\n", 2},
		"numbered":         {strings.Repeat("1. ", 300) + "x\n", 1},
		"a number":         {strings.Repeat(" ", 900) + "12345\n", 0},
		"nested with tabs": {strings.Repeat("\t", 200) + "* x\n", 1},
		"just not":         {strings.Repeat("> ", 100) + "x\n", 0},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, decision.TooDeep([]byte(test.src))) })
	}
}
