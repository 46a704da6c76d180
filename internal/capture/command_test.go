package capture

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMainCommand(t *testing.T) {
	for line, want := range map[string]string{
		"npm test": "npm test",
		"cd web && CI=1 npm test -- --watch=false 2>&1 | tail -20": "npm test",
		"timeout 60 go test -race ./...":                           "go test ./...",
		"go test ./a":                                              "go test ./a",
		"git add -A && git commit -m \"x && y\"":                   "git commit",
		"git commit -m \"$(cat <<'EOF'\nx\nEOF\n)\"":               "git commit",
		"cat > a.txt <<'EOF'\nnpm test\nEOF":                       "cat",
		"make; echo done":                                          "make",
		"make || true":                                             "make",
		"go build ./... > out.txt 2>&1":                            "go build ./...",
		"make &> log":                                              "make",
		"sudo -E env FOO=bar systemctl restart x":                  "systemctl restart x",
		"python -c 'import x; print(1)'":                           "python import x; print(1)",
		"echo hello":                                               "",
		"cd /tmp":                                                  "",
		"npm \\\n  test":                                           "npm test",
		"'unclosed":                                                "unclosed",
		"":                                                         "",
	} {
		require.Equal(t, want, mainCommand(line), line)
	}
}

func FuzzMainCommand(f *testing.F) {
	f.Add("cd a && b 'c' \"d\" | e; f <<x\\")
	f.Fuzz(func(_ *testing.T, line string) { mainCommand(line) })
}
