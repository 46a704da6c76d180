package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/model"
	"whence/internal/test/repotest"
)

const (
	stalled  = "The berth roster export stalls: why does the harbour proxy drop its connections?"
	answered = "The berth roster export stalls because the harbour proxy drops connections that are idle for 95 seconds; keepalive = 30 in exporter.toml keeps them open."
)

// sessionLine matches the line that names the session in which that was answered.
var sessionLine = regexp.MustCompile(`, 2 turns: ".+"  memory-remember session (\S+/2)`)

// What one agent answers is named in a session of another one: a prompt leads to pointers, the model reads
// one and answers, and a line that names the session comes with the prompt of the next.
func TestAcrossAgents(t *testing.T) {
	bin := installed(t)
	for _, pair := range [][2]realAgent{{claudeCode, codex}, {codex, copilot}, {copilot, gemini}, {gemini, openCode}, {openCode, claudeCode}} {
		first, second := pair[0], pair[1]
		if first.name != "copilot" && !repotest.Long() {
			continue // one pair shows that sessions cross; TestTurnsOfAgents reads the transcripts of each
		}
		t.Run(first.name+" to "+second.name, func(t *testing.T) {
			sc := inFerry(t, bin, first, second).registered(t, first, second)
			sc.runs = [][]string{
				first.run(t, chargedTwice),
				{"sh", "-c", "until memory-remember search keepalive | grep -q 95; do sleep .1; done; touch captured"},
				second.run(t, stalled),
			}
			sc.routes = []model.Route{
				{When: "why does the harbour proxy drop", Turns: []model.Turn{says("It is known.")}},
				{When: "charged twice", Turns: []model.Turn{first.shell(readPayment), says(answered)}},
			}
			p := play(t, sc)
			require.Equal(t, 1, p.first(first.asSent(byCommand+toRetry)), "the pointers come with the prompt")
			require.Equal(t, 2, p.first(payment), "the model reads one")
			require.FileExists(t, filepath.Join(p.project, "captured"), "without another event")
			last := p.requests[p.first("why does the harbour proxy drop")-1]
			named := sessionLine.FindStringSubmatch(last)
			require.NotNil(t, named, "the other agent gets the line: %s", last)
			read := exec.Command(filepath.Join(bin, "memory-remember"), "session", named[1])
			read.Dir, read.Env = p.project, append(os.Environ(), "WHENCE_HOME="+p.store)
			out, err := read.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Contains(t, string(out), "keepalive = 30")
		})
	}
}
