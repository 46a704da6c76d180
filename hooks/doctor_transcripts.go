package hooks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/home"
	"whence/internal/transcripts"
)

// What doctor reads of each agent: its newest transcripts, without large ones.
const (
	maxSurveyed      = 3
	maxSurveyedBytes = 2 << 20
	maxUnknownKinds  = 5 // that are listed
)

// checkTranscripts reports kinds of lines in new transcripts of the agents that run this program which
// this version does not know. What they hold is not captured.
func (d *doctor) checkTranscripts() {
	for _, c := range agent.Clients {
		if d.runsIn(c) == nil {
			continue
		}
		folder, err := c.Transcripts(home.UserFolder(d.env.Getenv), d.env.Getenv)
		if err != nil {
			continue // without a home folder there are none
		}
		files, skipped := transcripts.In(d, folder)
		for _, err := range skipped {
			d.note("transcript", "%s: %v", c.Title(), err)
		}
		files = slices.DeleteFunc(files, func(f transcripts.File) bool { return f.Bytes > maxSurveyedBytes })
		slices.SortFunc(files, func(a, b transcripts.File) int { return b.Written.Compare(a.Written) })
		d.survey(c, files[:min(len(files), maxSurveyed)])
	}
}

// survey reports what is not known in transcripts of an agent.
func (d *doctor) survey(c agent.Client, files []transcripts.File) {
	lines, version, unknown := 0, "", map[string]int{}
	for _, f := range files {
		source, err := transcripts.Open(d, f.Name)
		if source == nil {
			if err != nil {
				d.note("transcript", "%s: %v", c.Title(), err)
			}
			continue
		}
		s, err := source.Survey()
		_ = source.Close()
		if err != nil {
			d.note("transcript", "%s: %s: %v", c.Title(), f.Name, err)
		}
		lines += s.Lines
		if version == "" && s.Version != "" {
			version = " " + s.Version
		}
		for kind, n := range s.Unknown {
			unknown[kind] += n
		}
	}
	if lines == 0 {
		return
	}
	if len(unknown) == 0 {
		d.ok("transcript", "%s%s writes nothing that is not read (%d lines)", c.Title(), version, lines)
		return
	}
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(unknown)) {
		kinds = append(kinds, fmt.Sprintf("%.40q (%d)", kind, unknown[kind]))
	}
	if more := len(kinds) - maxUnknownKinds; more > 0 {
		kinds = append(kinds[:maxUnknownKinds], fmt.Sprintf("%d more", more))
	}
	d.note("transcript", "%s%s writes kinds of lines that %s does not know; what they say is not captured: %s", c.Title(), version, programName, strings.Join(kinds, ", "))
}
