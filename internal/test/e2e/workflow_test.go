package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"whence/internal/test/repotest"
)

// workflowStep is a step of a GitHub workflow.
type workflowStep struct {
	Uses, Run, If string
	Dir           string            `yaml:"working-directory"`
	With          map[string]string `yaml:"with"`
}

// exampleSteps are the steps of the workflow that is published.
func exampleSteps(t *testing.T) []workflowStep {
	t.Helper()
	var workflow struct {
		Jobs map[string]struct{ Steps []workflowStep }
	}
	require.NoError(t, yaml.Unmarshal([]byte(example(t, "github-workflow.yml")), &workflow))
	require.NotEmpty(t, workflow.Jobs["memory"].Steps)
	return workflow.Jobs["memory"].Steps
}

// The commands of the workflow, in a repository with findings: one fails, and has written
// what is uploaded.
func TestExampleWorkflowCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	repotest.Program(t, "sh")
	s := newSandbox(t, installed(t))
	require.NoError(t, os.CopyFS(filepath.Join(s.dir, "user"), os.DirFS(filepath.Join(repotest.Root(t), "examples", "ferry"))))
	s.write("user/CLAUDE.md", "# Notes\n")
	s.write("user/agents/decisions/new.md", "# New\n\n## A heading without an entry\n\nText.\n")
	s.run("user", "git", "init", "-q")
	failed := 0
	for _, step := range exampleSteps(t) {
		if strings.HasPrefix(step.Run, "memory-") {
			if out, err := s.try("user", "sh", "-ec", step.Run); err != nil {
				failed++
				var exit *exec.ExitError
				require.ErrorAs(t, err, &exit)
				require.Equal(t, 1, exit.ExitCode(), out) // findings, no error
			}
		}
	}
	require.Equal(t, 2, failed, "memory-validate, twice")
	require.True(t, json.Valid([]byte(s.read("user/memory.sarif"))))
	require.Contains(t, s.read("user/memory.sarif"), "missing-entry")
}
