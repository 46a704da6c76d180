package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"whence/internal/test/repotest"
)

// action is action.yml.
type action struct {
	Name, Description, Author string
	Inputs                    map[string]struct{ Description, Default string }
	Outputs                   map[string]struct{ Description, Value string }
	Runs                      struct {
		Using string
		Steps []struct {
			ID, If, Uses, Shell, Run string
			Env, With                map[string]string
		}
	}
}

func readAction(t *testing.T) (a action) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(repotest.Root(t), "action.yml"))
	require.NoError(t, err)
	decoder := yaml.NewDecoder(strings.NewReader(string(src)))
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(&a))
	return a
}

// Each input is used, as a variable of the environment: in the text of a script it would be code. Other
// people's actions have a version.
func TestAction(t *testing.T) {
	a := readAction(t)
	require.Equal(t, "composite", a.Runs.Using)
	for name, input := range a.Inputs {
		require.NotEmpty(t, input.Description, name)
		used := false
		for _, step := range a.Runs.Steps {
			for variable, value := range step.Env {
				if value == "${{ inputs."+name+" }}" {
					used = true
					require.Contains(t, step.Run, "$"+variable, name)
				}
			}
		}
		require.True(t, used, "no step uses the input %s", name)
	}
	ids := map[string]bool{}
	for _, step := range a.Runs.Steps {
		require.NotContains(t, step.Run, "${{")
		if step.Run != "" {
			require.Equal(t, "bash", step.Shell)
		} else {
			require.Regexp(t, pinned, step.Uses)
		}
		ids[step.ID] = true
		for _, value := range step.With {
			if m := regexp.MustCompile(`steps\.(\w+)\.`).FindStringSubmatch(value); m != nil {
				require.True(t, ids[m[1]], "no step before has the id %s", m[1])
			}
		}
	}
	for name, output := range a.Outputs {
		require.NotEmpty(t, output.Description, name)
		m := regexp.MustCompile(`^\$\{\{ steps\.(\w+)\.outputs\.` + name + ` \}\}$`).FindStringSubmatch(output.Value)
		require.NotNil(t, m, output.Value)
		require.True(t, ids[m[1]], name)
	}
}

// pinned matches an action at a commit, which does not change when a tag is moved.
const pinned = `^[a-z-]+/[a-z-]+@[0-9a-f]{40}$`

// Workflows may read this repository and nothing else, unless they release; no step keeps the
// credentials of its checkout, and what an event says is never part of a script.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(repotest.Root(t), ".github", "workflows", "*.yml"))
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		var workflow struct {
			Permissions map[string]string
			Concurrency struct{ Group string }
			Jobs        map[string]struct {
				Uses        string
				Timeout     int `yaml:"timeout-minutes"`
				Permissions map[string]string
				Steps       []workflowStep
			}
		}
		require.NoError(t, yaml.Unmarshal(src, &workflow), file)
		require.Equal(t, map[string]string{"contents": "read"}, workflow.Permissions, file)
		require.NotEmpty(t, workflow.Concurrency.Group, file)
		for name, job := range workflow.Jobs {
			if strings.HasPrefix(job.Uses, "./") {
				continue
			}
			require.Positive(t, job.Timeout, "%s: %s", file, name)
			require.Equal(t, name == "release", job.Permissions != nil, "%s: %s", file, name)
			for _, step := range job.Steps {
				require.NotContains(t, step.Run, "${{", file)
				if step.Uses == "" || step.Uses == "./" {
					continue
				}
				require.Regexp(t, pinned, step.Uses, file)
				require.Contains(t, string(src), step.Uses+" # v", file)
				if strings.HasPrefix(step.Uses, "actions/checkout@") {
					require.Equal(t, "false", step.With["persist-credentials"], file)
				}
			}
		}
	}
}

// The scripts of the action, one after another as GitHub runs them, in a repository with two memories:
// they build the program, annotate each finding with its path from the workspace, count, and fail only if
// there are findings.
func TestActionScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	repotest.Program(t, "bash")
	a := readAction(t)
	s := newSandbox(t)
	s.write("temp/empty", "")
	for _, folder := range []string{"services/api", "services/web shop"} {
		s.write("user/"+folder+"/agents/memory-index.md", index)
		s.write("user/"+folder+"/agents/decisions/api.md", decisions)
	}
	s.run("user", "git", "init", "-q")
	s.env = append(s.env, "GITHUB_ACTION_PATH="+repotest.Root(t), "RUNNER_TEMP="+filepath.Join(s.dir, "temp"), "GITHUB_OUTPUT="+filepath.Join(s.dir, "output"),
		"GITHUB_STEP_SUMMARY="+filepath.Join(s.dir, "summary"), "GITHUB_EVENT_NAME=push", "MEMORY_RECALL=false")
	run := func(script string, env ...string) (string, int) {
		t.Helper()
		s.write("output", "")
		s.write("script.sh", script)
		inner := *s
		inner.env = append(s.env[:len(s.env):len(s.env)], env...)
		out, err := inner.try("user", "bash", "--noprofile", "--norc", "-eo", "pipefail", filepath.Join(s.dir, "script.sh"))
		exit, status := (*exec.ExitError)(nil), 0
		if err != nil {
			require.ErrorAs(t, err, &exit, out)
			status = exit.ExitCode()
		}
		return out, status
	}
	check := ""
	for _, step := range a.Runs.Steps {
		switch {
		case step.ID == "check":
			check = step.Run
		case step.Run != "":
			out, status := run(step.Run)
			require.Zero(t, status, out)
			if step.ID == "source" {
				require.Regexp(t, `^go=1\.\d+(\.\d+)?\nhash=[0-9a-f]{40}\n$`, s.read("output"))
			}
		}
	}
	const both = "services/api\n  services/web shop  \n\n"
	out, status := run(check, "MEMORY_PATHS="+both, "MEMORY_ARGS=")
	require.Zero(t, status, out)
	require.Empty(t, out)
	require.Equal(t, "findings=0\n", s.read("output"))

	s.write("user/services/web shop/agents/memory-index.md", wrong)
	out, status = run(check, "MEMORY_PATHS="+both, "MEMORY_ARGS=")
	require.Equal(t, 1, status, out)
	require.Regexp(t, `(?m)^::error file=services/web shop/agents/memory-index\.md,line=7,col=27,title=unknown-header::no heading "Pages"`, out)
	require.NotContains(t, out, "services/api")
	require.Equal(t, "findings=1\n", s.read("output"))

	s.write("user/services/api/agents/memory-index.md", wrong)
	out, status = run(check, "MEMORY_PATHS="+both, "MEMORY_ARGS=--decisions=agents/decisions/*.md\n--quiet")
	require.Equal(t, 1, status, out)
	require.Regexp(t, `^::error file=services/api/.*\n::error file=services/web shop/.*\n$`, out)
	require.Equal(t, "findings=2\n", s.read("output"))

	// What an input holds is never run, and a mistake is never a pass.
	for _, c := range []struct {
		paths, args string
		status      int
		out         string
	}{
		{"$(touch hacked)", "", 3, "$(touch hacked)"},
		{"services/api; touch hacked", "", 3, "touch hacked"},
		{"services/api", "`touch hacked`", 3, "touch hacked"},
		{"services/api", "--enable=x; touch hacked", 3, "touch hacked"},
		{"services/api", "--format=text", 1, "::error file=services/api/"},
		{"services/api\nnowhere", "", 3, "nowhere"},
		{"services", "", 4, "no memory"},
		{"", "", 3, "::error::the input path names no folder"},
		{" \n\t\n", "", 3, "::error::the input path names no folder"},
	} {
		out, status := run(check, "MEMORY_PATHS="+c.paths, "MEMORY_ARGS="+c.args)
		require.Equal(t, c.status, status, "%+v: %s", c, out)
		require.Contains(t, out, c.out, "%+v", c)
		require.NoFileExists(t, filepath.Join(s.dir, "user", "hacked"))
	}

	// A pull request, as it is checked out: the summary has findings, names that go, and the decisions that may govern it.
	s.write("user/services/api/agents/memory-index.md", index)
	s.write("user/services/web shop/agents/memory-index.md", index)
	s.write("user/services/api/list.go", "package api\n\nvar nextCursor = 1\n")
	s.write("user/services/api/agents/decisions/api.md", decisions+"\nThe field is `nextCursor`.\n")
	s.run("user", "git", "add", ".")
	s.run("user", "git", "commit", "-qm", "start")
	s.run("user", "git", "checkout", "-qb", "change")
	s.write("user/services/api/list.go", "package api\n\nvar list = \"a list of many rows, a page at a time, by cursor\"\n")
	s.run("user", "git", "commit", "-qam", "list by pages with a cursor")
	s.run("user", "git", "checkout", "-q", "-")
	request := []string{"GITHUB_EVENT_NAME=pull_request", "MEMORY_RECALL=true", "MEMORY_PATHS=services/api", "MEMORY_ARGS="}
	s.write("summary", "")
	out, status = run(check, request...)
	require.Zero(t, status, out)
	require.Equal(t, "### Memory: findings and notes\n\n    none in services/api\n\n### Memory: decisions that may govern this change\n\n    not looked for, and no names that go: give actions/checkout fetch-depth: 2\n\n", s.read("summary"))
	s.run("user", "git", "merge", "-q", "--no-ff", "--no-edit", "change")
	s.write("summary", "")
	out, status = run(check, request...)
	require.Zero(t, status, out)
	require.Regexp(t, `^::warning file=services/api/agents/decisions/api\.md,line=\d+,col=15,title=gone-name::this change removes the last mention of .nextCursor`, out)
	require.Regexp(t, "^### Memory: findings and notes\n\n    services/api/agents/decisions/api.md:\\d+:15: this change removes the last mention of `nextCursor` in code: .* with memory-when '/when listing many rows' .gone-name.\n\n"+
		`### Memory: decisions that may govern this change\n\n    - /when .*  \(.*\) +# p \.\d\d, services/api/list\.go\n\n$`, s.read("summary"))
}
