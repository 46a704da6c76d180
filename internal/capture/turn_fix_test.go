package capture_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/capture"
	"whence/internal/shell"
)

// in sets the folder of a record.
func in(dir string) string { return fmt.Sprintf(`"cwd":%q`, dir) }

// said is a use of Bash in a folder with its result.
func (t *script) ran(dir, command, output string, isError bool) *script {
	return t.uses("Bash", "command", command, in(dir)).gets(output, isError, in(dir))
}

// The text of a fix says what was changed, also if that is the command, its environment or
// its folder. A success of something else is not a fix.
func TestFixes(t *testing.T) {
	const now = "passes now"
	as := func(line string) string { return "passes as: " + line }
	for _, c := range []struct {
		failed, failure, passed, output, want string // "": not a fix
	}{
		{"npm install", "ERESOLVE unable to resolve dependency tree", "npm install --legacy-peer-deps", "added 3", as("npm install --legacy-peer-deps")},
		{"go build ./...", "undefined: sqlite.Conn", "CGO_ENABLED=1 go build ./...", "", as("CGO_ENABLED=1 go build ./...")},
		{"CGO_ENABLED=1 go build", "gcc: not found", "CGO_ENABLED=0 go build", "", as("CGO_ENABLED=0 go build")},
		{"make", "make: *** No targets specified and no makefile found.  Stop.", "cd backend && make", "built", as("cd backend && make") + "\nin /r/backend (it failed in /r)"},
		{"make", "make: *** No targets specified and no makefile found.  Stop.", "make -C backend", "built", as("make -C backend")},
		{"npm run build", "npm ERR! ENOENT package.json", "npm run build --prefix web", "ok", as("npm run build --prefix web")},
		{"npm run build", "npm ERR! ENOENT package.json", "npm --prefix web run build", "ok", as("npm --prefix web run build")},
		{"npm run build", "error:0308010C digital envelope routines", "export NODE_OPTIONS=--openssl-legacy-provider; npm run build", "ok", as("export NODE_OPTIONS=--openssl-legacy-provider; npm run build")},
		{"python app.py", "KeyError: 'DATABASE_URL'", "source .env && python app.py", "up", as("source .env && python app.py")},
		{"python app.py", "command not found: python", "python3 app.py", "up", as("python3 app.py")},
		{"pytest", "ModuleNotFoundError: No module named 'x'", "uv run pytest", "5 passed", as("uv run pytest")},
		{"systemctl restart x", "Access denied", "sudo systemctl restart x", "", as("sudo systemctl restart x")},
		{"sudo -u www ./deploy.sh", "denied", "sudo ./deploy.sh", "", as("sudo ./deploy.sh")},
		{"timeout 60 go test ./...", "killed", "timeout 600 go test ./...", "ok", as("timeout 600 go test ./...")},
		{"go test ./...", "missing go.sum entry", "go mod tidy && go test ./...", "ok", as("go mod tidy && go test ./...")},
		{"npm ci", "lock file is out of date", "rm -rf node_modules && npm ci", "added", as("rm -rf node_modules && npm ci")},
		{"git push", "fatal: The current branch x has no upstream branch", "git push -u origin x", "done", as("git push -u origin x")},
		{"git commit -m 'a'", "the hook failed", "git commit --no-verify -m 'b'", "[x] b", as("git commit --no-verify -m 'b'")},
		{"mkdir a/b", "No such file or directory", "mkdir -p a/b", "", as("mkdir -p a/b")},
		{"curl https://x.test/a", "certificate problem", "curl -k https://x.test/a", "<html>", as("curl -k https://x.test/a")},
		{"pip install -r req.txt", "no matching distribution", "pip install -r req.txt -i https://mirror.test/", "ok", as("pip install -r req.txt -i https://mirror.test/")},
		{"npm install left-pad@9", "no matching version", "npm install left-pad@1.3", "added", as("npm install left-pad@1.3")},
		{"pip install numpy==9", "no matching distribution", "pip install 'numpy<3'", "ok", as("pip install 'numpy<3'")},
		{"docker build", `"docker build" requires exactly 1 argument`, "docker build .", "done", as("docker build .")},
		{"docker build .", "failed to read dockerfile", "docker build -f deploy/Dockerfile .", "done", ""},
		{"go test ./... 2>&1 | tail", "FAIL", "go test ./... 2>&1 | grep -v skip", "ok", now},
		{`psql -c "select 1" app`, "role does not exist", `PGUSER=app psql -c "select 1" app`, "1", as(`PGUSER=app psql -c "select 1" app`)},
		{"(cd web && npm test)", "no such module", "(cd web && CI=1 npm test)", "ok", as("(cd web && CI=1 npm test)")},
		{"eslint src", "3 problems", "eslint --fix src", "", as("eslint --fix src")},
		{"go test -run TestA ./a", "FAIL", "go test ./a", "ok", ""},
		{"TOKEN=ghp_" + strings.Repeat("a1B2", 9) + " ./deploy.sh", "401", "TOKEN=ghp_" + strings.Repeat("c3D4", 9) + " ./deploy.sh", "ok", now},

		{"go test ./...", "timeout", "go test ./...", "ok", now},
		{"go test ./...", "timeout", "time go  test ./... && git status", "ok", now},
		{"cd /r && make", "locked", "make", "built", now},

		{"npm test", "1 failing", "npm test -- -t one", "1 passing", ""},
		{"npm test", "1 failing", "npm test src/a.test.js", "1 passing", ""},
		{"go test ./...", "FAIL a", "go test ./b", "ok", ""},
		{"go test ./...", "FAIL a", "go test -run TestB ./...", "ok", ""},
		{"go test ./...", "FAIL a", "go test -run=TestB ./...", "ok", ""},
		{"pytest", "1 failed", "pytest -x tests/b.py", "1 passed", ""},
		{"pytest", "1 failed", "pytest --collect-only", "5 tests", ""},
		{"cargo build", "E0308", "cargo build -p other", "Finished", ""},
		{"npm install", "ERESOLVE", "npm install left-pad", "added 1", ""},
		{"npm install", "ERESOLVE", "npm install --save-dev left-pad", "added 1", ""},
		{"npm install", "ERESOLVE", "npm install --help", "npm install <x>", ""},
		{"npm install", "ERESOLVE", "npm run build", "built", ""},
		{"npm install", "ERESOLVE", "npm --version", "10", ""},
		{"git checkout x", "pathspec did not match", "git checkout main", "switched", ""},
		{"git push", "rejected", "git pull", "done", ""},
		{"rm -rf a", "permission denied", "rm -rf b", "", ""},
		{"python a.py", "boom", "python b.py", "fine", ""},
		{"python -c 'a'", "boom", "python -c 'b'", "fine", ""},
		{"python - <<'E'\na\nE", "boom", "python - <<'E'\nb\nE", "fine", ""},
		{"curl -s https://x.test/a", "404", "curl -s https://x.test/b", "ok", ""},
		{"make test", "FAIL", "make lint", "ok", ""},
		{"cd a && npm test", "1 failing", "cd b && npm test", "ok", ""},
		{"npm test", "1 failing", "cd packages/a && npm test", "ok", ""},
		{"npm test", "1 failing", "npm test 2>&1 | tail -3", "1 failing", ""},
		{"npm test", "1 failing", "npm test || true", "Error: no", ""},
		{"npm test", "1 failing", "npm test 2>&1 | tail -3", "12 passing, 0 failed", now},
		{"./deploy.sh", "boom", "echo ./deploy.sh", "./deploy.sh", ""},

		// What has failed may be another command of the line.
		{"npm run build && npm test", "TS2322", "npm test", "ok", ""},
		{"npm test; npm run lint", "1 failed", "npm run lint", "ok", ""},
		{"cd a && npm test && cd ../b && npm test", "1 failed", "cd b && npm test", "ok", ""},
		{"cat x | psql app", "syntax error", "cat y | psql app", "ok", ""},
		{"npm run build && npm test", "TS2322", "npm run build && npm test", "ok", now},
		{"rm -rf dist && npm ci", "EBUSY", "npm ci", "ok", as("npm ci")},
		{"git add . && git commit -m x", "hook", "git commit -m y", "ok", as("git commit -m y")},

		// Nothing says whether it has passed.
		{"npm test", "1 failed", "! npm test", "ok", ""},
		{"npm test", "1 failed", "if ! npm test; then echo bad; fi", "bad", ""},
		{"npm test", "1 failed", "npm test &", "", ""},
		{"npm test", "1 failed", "nohup npm test > log 2>&1 &", "", ""},
		{"npm test", "1 failed", "npm test > out.txt 2>&1; echo $?", "1", ""},
		{"npm test", "1 failed", "npm test > out.txt || true", "", ""},
		{"npm test", "1 failed", "npm test; echo exit=$?", "exit=1", ""},
		{"npm test", "1 failed", "npm test; echo exit=$?", "exit=0", now},
		{"npm test", "1 failed", "npm test 2>/dev/null | tail -3", "ok", now},

		// Another task, a part of it, or only a preview.
		{"cp a b", "no space", "cp b a", "", ""},
		{"cp a b", "it is a folder", "cp -r a b", "", as("cp -r a b")},
		{"node a/x.js", "boom", "node b/x.js", "", ""},
		{"pnpm test", "1 failed", "pnpm -C web test", "ok", ""},
		{"pnpm -r test", "1 failed", "pnpm --filter web test", "ok", ""},
		{"terraform plan", "no provider", "terraform plan -target=a.b", "ok", ""},
		{"mvn install", "BUILD FAILURE", "mvn install -DskipTests", "ok", ""},
		{"ruff check", "3 problems", "ruff check --exit-zero", "3 problems", ""},
		{"black .", "cannot format", "black --check .", "ok", ""},
		{"go test ./...", "FAIL", "go test -list . ./...", "ok", ""},
		{"pytest", "1 failed", "pytest --co -q", "5", ""},
		{"make", "Error 1", "make -n", "cc a.c", ""},
		{"rsync -a a b", "denied", "rsync -a -n a b", "ok", ""},
		{"./app serve", "in use", "./app serve -h", "usage", ""},
		{"psql", "could not connect", "psql -h localhost", "ok", as("psql -h localhost")},
		{"git push", "rejected", "git push --delete origin x", "ok", ""},
		{"curl localhost", "refused", "sleep 5; curl localhost", "ok", as("sleep 5; curl localhost")},
	} {
		t.Run(c.failed+" → "+c.passed, func(t *testing.T) {
			rows := new(script).ran("/r", c.failed, c.failure, true).ran("/r", c.passed, c.output, false).turns(t)
			got := ""
			for _, turn := range rows {
				if turn.Kind == string(capture.Fix) {
					_, got, _ = strings.Cut(turn.Text, "\nfailed: "+c.failure+"\n")
					require.NotEmpty(t, got)
				}
				require.NotContains(t, turn.Text, "ghp_")
			}
			require.Equal(t, c.want, got)
		})
	}
}

// The steps between a failure and its success come before how it passes.
func TestStepsOfAFix(t *testing.T) {
	begin := func() *script { return new(script).ran("/r", "npm test", "boom", true) }
	for name, c := range map[string]struct {
		script *script
		want   string
	}{
		"an edit and another command":     {begin().uses("Edit", "file_path", "/r/a.js").gets("ok", false).ran("/r", "CI=1 npm test", "ok", false), "then: Edit /r/a.js\npasses as: CI=1 npm test"},
		"an edit":                         {begin().uses("Edit", "file_path", "/r/a.js").gets("ok", false).ran("/r", "npm test", "ok", false), "then: Edit /r/a.js\npasses now"},
		"an export before":                {begin().ran("/r", "export CI=1", "", false).ran("/r", "npm test", "ok", false), "then: export CI=1\npasses now"},
		"the folder of the shell":         {new(script).ran("/r", "npm test", "ENOENT package.json", true).ran("/r", "cd web", "", false).ran("/r/web", "npm test", "ok", false), "passes now\nin /r/web (it failed in /r)"},
		"a folder that is not known":      {new(script).runs("npm test").gets("ENOENT package.json", true).runs("cd web").gets("", false).runs("npm test").gets("ok", false), "passes now"},
		"looking is not a step":           {begin().ran("/r", "git diff", "x", false).uses("Read", "file_path", "/r/a.js").gets("x", false).ran("/r", "npm test", "ok", false), "passes now"},
		"our own programs are not a step": {begin().ran("/r", "cd web && memory-when testing", "x", false).ran("/r", "memory-when nothing", "Exit code 1\nnothing close", true).ran("/r", "npm test", "ok", false), "passes now"},
		"what memory-when has written":    {begin().ran("/r", "memory-when testing > a.md", "", false).ran("/r", "npm test", "ok", false), "passes now"},
		"the same failing twice":          {begin().ran("/r", "npm test", "boom", true).ran("/r", "npm test", "ok", false), "passes now"},
		"other options had failed, too":   {begin().ran("/r", "npm test --force", "boom", true).ran("/r", "npm test --legacy", "ok", false), "passes as: npm test --legacy"},
		"a success behind a pipe":         {begin().ran("/r", "npm test 2>&1 | tail", "1 failed", false).uses("Edit", "file_path", "/r/a.js").gets("ok", false).ran("/r", "npm test", "ok", false), "then: npm test 2>&1 | tail; Edit /r/a.js\npasses now"},
	} {
		t.Run(name, func(t *testing.T) {
			fixes := 0
			for _, turn := range c.script.turns(t) {
				if turn.Kind == string(capture.Fix) {
					fixes++
					require.True(t, strings.HasSuffix(turn.Text, "\n"+c.want), turn.Text)
					require.NotContains(t, strings.TrimSuffix(turn.Text, c.want), "then:")
				}
			}
			require.Equal(t, 1, fixes)
		})
	}
}

// Programs of whence make no turns, however they are run.
func TestOwnProgramsAreNotCaptured(t *testing.T) {
	for _, line := range []string{
		"memory-when 'no such thing'", "/usr/local/bin/memory-when x", "~/go/bin/memory-validate", "npx memory-validate --fix", "go run ./when/memory-when x",
		"go run whence/when/memory-when@latest x", "WHENCE_HOME=/x memory-remember 'a fact that is new'", "cd web && memory-when x | head", "memory-migrate --write; git status",
		"timeout 5 memory-hooks doctor || true", "sudo memory-hooks status", "env A=b memory-when x", "(cd web; memory-when x) 2>/dev/null",
	} {
		t.Run(line, func(t *testing.T) {
			require.Empty(t, new(script).ran("/r", line, "Exit code 1\nnothing close", true).ran("/r", line, "found", false).turns(t))
			require.True(t, shell.RunOf(line, "").Own)
		})
	}
	for _, line := range []string{"go test ./when", "cat memory-when", "memory-when x && npm test", "vim agents/memory-index.md", ""} {
		require.False(t, shell.RunOf(line, "").Own, line)
	}
	for _, tool := range []string{"mcp__memory__when", "mcp__plugin_whence_memory__search_memory"} {
		require.Empty(t, new(script).uses(tool, "query", "x").gets("nothing close", true).turns(t))
	}
	require.Len(t, new(script).uses("mcp__memory__create_entities", "query", "x").gets("nothing close", true).turns(t), 1)
	mixed := new(script).ran("/r", "memory-when x && npm test", "Exit code 1\nmemory-when: no trigger \"x\"", true).ran("/r", "npm test", "ok", false)
	require.Equal(t, []string{"bash [Bash] npm test"}, shown(mixed.turns(t)))
}
