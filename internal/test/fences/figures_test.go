package fences_test

import (
	"go/constant"
	"go/token"
	"go/types"
	"io/fs"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"
	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

var (
	figure      = regexp.MustCompile(`\b\d[\d,]* (?:bytes|characters|words|lines|MB|kB|KiB|KB|s|ms|days|times|keys|commits)\b`)
	placeholder = regexp.MustCompile(`\{(\S+) ([^}]+)\}`)
	operand     = regexp.MustCompile(`"[^"]+"|[A-Za-z][\w.]*`)
	hidden      = regexp.MustCompile("(?m)^//|<!--(?s:.*?)-->|`[^`\n]*`")
)

// Each figure with a unit in a document, decision or manual is in testdata/figures.txt, with the constants that it repeats.
func TestFigures(t *testing.T) {
	root := os.DirFS(repotest.Root(t))
	read := func(name string) string {
		src, err := fs.ReadFile(root, name)
		require.NoError(t, err)
		return string(src)
	}
	texts := map[string]string{}
	for _, pattern := range []string{"README.md", "SECURITY.md", "docs/*.md", "agents/decisions/*.md", "*/doc.go", "internal/*/doc.go"} {
		names, err := fs.Glob(root, pattern)
		require.NoError(t, err)
		for _, name := range names {
			texts[name] = strings.Join(strings.Fields(hidden.ReplaceAllString(codeBlock.ReplaceAllString(read(name), ""), "")), " ")
		}
	}
	for line := range strings.Lines(read("internal/test/fences/testdata/figures.txt")) {
		name, phrase, found := strings.Cut(strings.TrimSpace(line), ": ")
		if strings.HasPrefix(line, "#") || !found {
			continue
		}
		phrase = placeholder.ReplaceAllStringFunc(phrase, func(of string) string {
			m := placeholder.FindStringSubmatch(of)
			return evaluate(t, read(m[1]), m[2])
		})
		require.True(t, strings.Contains(texts[name], phrase), "%s does not say %q", name, phrase)
		texts[name] = strings.Replace(texts[name], phrase, "", 1)
	}
	for name, text := range texts {
		require.Empty(t, figure.FindAllString(text, -1), "%s has a figure that is not in testdata/figures.txt", name)
	}
}

// evaluate returns the value of an expression, as texts write it: 10,000 or .05. Its operands are constants and fields of a
// source, the field of the variable or function V as V.Field, and rows of a table, with | between their cells.
func evaluate(t *testing.T, src, expression string) string {
	literals := operand.ReplaceAllStringFunc(expression, func(name string) string {
		pattern := `\b` + strings.ReplaceAll(name, ".", `\b.*?\b`) + `(?:\s+=|:)\s+`
		if row := strings.Trim(name, `"`); row != name {
			pattern = `(?m)^` + strings.ReplaceAll(regexp.QuoteMeta(row), `\|`, "\t") + "\t"
		}
		m := regexp.MustCompile(pattern + `(\d[\d._]*(?: << \d+)?|time\.Second)(?:[,}\t\n]| //)`).FindStringSubmatch(src)
		require.NotNil(t, m, "%s is not there", name)
		return "(" + strings.ReplaceAll(m[1], "time.Second", "1") + ")"
	})
	result, err := types.Eval(token.NewFileSet(), nil, token.NoPos, literals)
	require.NoError(t, err, expression)
	value, _ := constant.Float64Val(constant.ToFloat(result.Value))
	if value < 1 {
		return strings.TrimPrefix(strconv.FormatFloat(math.Round(100*value)/100, 'f', -1, 64), "0")
	}
	return humanize.Comma(int64(math.Round(value)))
}
