package shell

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

func TestRunOf(t *testing.T) {
	for line, want := range map[string]string{
		"npm test": "npm test",
		"cd web && CI=1 npm test -- --watch=false 2>&1 | tail -20": "npm test -- --watch=false; in /r/web; masked",
		"timeout 60 go test -race ./...":                           "go test -race ./...",
		"git add -A && git commit -m \"x && y\"":                   "git commit -m x && y",
		"git commit -m \"$(cat <<'EOF'\nit's x\nEOF\n)\" && make":  "make",
		"cat > a.txt <<'EOF'\nnpm test\nEOF":                       "cat <<npm test",
		"python3 - <<'EOF' 2>&1 | tail\nprint(1)\nEOF\nls":         "python3 - <<print(1); masked",
		"make; echo done":                                  "make; masked",
		"make || true":                                     "make; masked",
		"make &":                                           "",
		"set -o pipefail; make | tail":                     "make",
		"npm ci || npm install":                            "npm install; masked",
		"cd a || exit 1; make":                             "make; in /r/a",
		"for f in a b; do make $f; done":                   "make $f; masked",
		"if make; then echo yes; fi":                       "make; masked",
		"go build ./... > out.txt 2>&1":                    "go build ./...",
		"make &> log":                                      "make",
		"sudo -E -u www env FOO=bar systemctl restart x":   "systemctl restart x",
		"sudo -s npm test":                                 "npm test",
		"xvfb-run -a npm test":                             "npm test",
		"uv run pytest -q":                                 "pytest -q",
		"python3 -m pytest -q":                             "pytest -q",
		"npx tsc --noEmit":                                 "tsc --noEmit",
		"(cd web && npm ci) && (cd api && npm test)":       "npm test; in /r/api",
		"(cd web && npm ci) && npm test":                   "npm test",
		"npm test && git status && ls":                     "npm test",
		"cat dump.sql | psql app":                          "psql app",
		"psql app < dump.sql":                              "psql app <dump.sql",
		"diff <(sort a) <(sort b)":                         "diff <(sort a) <(sort b)",
		"git -C web log && git -C web add a":               "git -C web add a",
		"git log | head":                                   "git log; masked",
		"pushd /x/../y && make # build":                    "make; in /y",
		"python -c 'import x; print(1)'":                   "python -c import x; print(1)",
		"memory-when 'x' && go vet":                        "go vet",
		"cd web && memory-when 'x'":                        "memory-when x; in /r/web; own",
		"npx memory-validate --fix || true":                "memory-validate --fix; masked; own",
		"WHENCE_HOME=/x ~/go/bin/memory-remember 'a fact'": "~/go/bin/memory-remember a fact; own",
		"go run ./when/memory-when@latest computing":       "go run ./when/memory-when@latest computing; own",
		"export A=1":                                       "export A=1",
		". ./.env":                                         ". ./.env",
		"A=1":                                              "A=1",
		"command -v x":                                     "command -v x",
		"echo hello":                                       "",
		"cd /tmp":                                          "",
		"npm \\\n  test":                                   "npm test",
		"":                                                 "",
	} {
		r := RunOf(line, "/r")
		got := strings.ReplaceAll(r.Words, "\n", " ")
		for _, mark := range []struct {
			is   bool
			text string
		}{{r.Words != "" && r.Dir != "/r", "; in " + r.Dir}, {r.Masked, "; masked"}, {r.Own, "; own"}} {
			if mark.is {
				got += mark.text
			}
		}
		require.Equal(t, want, got, line)
	}
}

func FuzzRunOf(f *testing.F) {
	for _, line := range []string{
		"cd a && b 'c' \"d $(e)\" | f; g <<x\ny\nx\n(h) <(i) &> j", "'unclosed", "$(", "a <<E", "修改 \"é", "git -= -/ --", "! a & b", "if a; then b; fi", "a\\",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		begin := time.Now()
		r := RunOf(line, "/r")
		require.Less(t, time.Since(begin), 2*time.Second)
		require.Equal(t, r, RunOf(line, "/r"))
		if r.Words != "" {
			require.True(t, IsSameTask(r, r, ""), "a command does what it does")
		}
	})
}

// Reading any line takes little time and stack, and the line equals itself.
func TestHostileLines(t *testing.T) {
	for _, part := range []string{"(", "( ", "{ ", "$(", "\"$(", "`", "${a:-", "$((", "((a[", "a[$(", "<(", "$[", "if ", "while ", "time ", "x() ", "a|", "a;", "<<E ", "\\", "'", "\xff", "修"} {
		repotest.RequireLinear(t, maxLineBytes, func(size int) func() {
			line := strings.Repeat(part, size/len(part))
			return func() { _, _ = RunOf(line, ""), RunsWhence(line+" memory-when") }
		})
		for _, size := range []int{maxLineBytes, 10 * maxLineBytes} {
			line := strings.Repeat(part, size/len(part))
			r := RunOf(line, "")
			require.False(t, RunsWhence(line+" memory-when"))
			require.True(t, r.Words == "" || IsSameTask(r, r, ""), part)
		}
	}
}

func TestQuotedArguments(t *testing.T) {
	for line, want := range map[string][]string{
		`x 'writing users'\'' names'`:       {"writing users' names"},
		`x "a \"b\" \$c \d" 'e\f'`:          {`a "b" $c \d`, `e\f`},
		`x 'a'\\b "c" d 'e'`:                {`a\b`, "c"},
		`x 'a'  (About a)`:                  {"a"},
		`x 'a'|less`:                        {"a"},
		`x 'a' # 'b'`:                       {"a"},
		`x 'a' 'b`:                          {"a"},
		`x "a $(x "b")"`:                    {`a $(x "b")`},
		`x $'a'`:                            nil,
		`x a 'b'`:                           nil,
		`y 'a'`:                             nil,
		`x`:                                 nil,
		``:                                  nil,
		"x " + strings.Repeat("$(", 10_000): nil,
	} {
		require.Equal(t, want, QuotedArguments(line, "x"), "%.80q", line)
	}
}
