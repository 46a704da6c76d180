package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/model"
)

// Once installed, an agent in its default mode reads decisions and sessions without asking anybody, and asks
// for whatever else a line does, as it did before.
func TestAgentsReadUnasked(t *testing.T) {
	bin := installed(t)
	for _, a := range []struct {
		realAgent
		refusals []string // what the model is sent of a command that needs a user
	}{
		{claudeCode, []string{"needs approval", "requires approval", "can't be checked before it runs"}},
		{codex, nil}, // alone, it does not ask: its sandbox lets it write to a project that is trusted
		{gemini, []string{"denied by policy", "requires user confirmation"}},
	} {
		t.Run(a.name, func(t *testing.T) {
			sc := inFerry(t, bin, a.realAgent).installed(t, a.realAgent)
			sc.env["WHENCE_DISABLE"] = "1" // the hooks would answer too
			sc.runs = [][]string{a.asking(t, "What was decided?")}
			turns := []model.Turn{}
			for _, command := range []string{
				"memory-when 'retrying a charge safely' 'altering a busy table'",
				`memory-when "scheduling at low water"`,
				"memory-when --repo / 'retrying a charge safely'",
				"memory-remember session none/1",
				"memory-remember forget none",
				"memory-when 'card is declined'; touch ASKED",
				"memory-when 'card is declined' > ASKED",
				"memory-when $(touch ASKED)",
			} {
				turns = append(turns, a.shell(command))
			}
			sc.routes = []model.Route{{When: "What was decided", Turns: append(turns, says("done"))}}
			p := play(t, sc)
			require.Len(t, p.requests, 9)
			for i, answer := range []string{"# Idempotency keys live in", "A sailing that touches Stray needs", "agents may read the repository in which they work", `no session of this repository has the id "none"`} {
				require.Equal(t, i+2, p.first(answer), answer)
			}
			require.NotZero(t, p.first("lock_timeout"), "the second of two triggers")
			if a.refusals == nil {
				return
			}
			asked := 0
			for _, words := range a.refusals {
				asked += strings.Count(p.requests[8], words)
			}
			require.Equal(t, 4, asked, p.requests[8])
			require.NoFileExists(t, filepath.Join(p.project, "ASKED"))
		})
	}
}
