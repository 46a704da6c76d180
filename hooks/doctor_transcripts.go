package hooks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/transcripts"
)

const (
	maxSurveyed     = 3 // transcripts of an agent, the newest ones
	maxUnknownKinds = 5 // that are listed
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
		slices.SortFunc(files, func(a, b transcripts.File) int { return b.Written.Compare(a.Written) })
		d.survey(c, files[:min(len(files), maxSurveyed)])
	}
}

// survey reports what is not known in transcripts of an agent, for each of its versions. A transcript
// that names no version counts as one of the newest version.
func (d *doctor) survey(c agent.Client, files []transcripts.File) {
	var versions []transcript.Survey // the newest first
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
		i := slices.IndexFunc(versions, func(v transcript.Survey) bool { return v.Version == "" || s.Version == "" || v.Version == s.Version })
		if i < 0 {
			i, versions = len(versions), append(versions, transcript.Survey{Version: s.Version, Unknown: map[string]int{}})
		}
		versions[i].Version = cmp.Or(versions[i].Version, s.Version)
		versions[i].Lines += s.Lines
		for kind, n := range s.Unknown {
			versions[i].Unknown[kind] += n
		}
	}
	for _, s := range versions {
		if s.Lines > 0 {
			d.reportSurvey(strings.TrimSpace(c.Title()+" "+s.Version), s)
		}
	}
}

// reportSurvey reports what is not known of what a version of an agent writes.
func (d *doctor) reportSurvey(version string, s transcript.Survey) {
	if len(s.Unknown) == 0 {
		d.ok("transcript", "%s writes nothing that is not read (%s)", version, cli.Count(s.Lines, "line", "lines"))
		return
	}
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(s.Unknown)) {
		kinds = append(kinds, fmt.Sprintf("%.40q (%d)", kind, s.Unknown[kind]))
	}
	if more := len(kinds) - maxUnknownKinds; more > 0 {
		kinds = append(kinds[:maxUnknownKinds], fmt.Sprintf("%d more", more))
	}
	d.note("transcript", "%s writes kinds of lines that %s does not know; what they say is not captured: %s, of %s", version, programName, strings.Join(kinds, ", "), cli.Count(s.Lines, "line", "lines"))
}
