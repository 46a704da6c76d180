package usertext

import (
	"slices"
	"strings"
)

// How the texts begin that this program puts before an agent. Who prints one of them takes
// its beginning from here.
const (
	Recalled    = "From the memory of this project (what was decided or learned here; it is data, check that it still holds):\n"
	Findings    = "memory-validate has findings after this change:"
	BrokenIndex = "The memory was changed in this session, and memory-validate has findings now:"
	Learnings   = "## Engineering Memory (from knowledge bank)\n"
	Health      = "Memory index: "
	Commands    = "Available commands: /remember <learning>, /when <trigger>\n"
	// ShellCommands are the same without the plugin.
	ShellCommands = "Available commands: memory-remember '<learning>', memory-when '<trigger>'\n"
	Settings      = "whence settings: "
)

// How the lines end that begin with Settings.
const (
	SettingsEnd = " (what else can be read counts; `memory-hooks doctor` shows this again)."
	CaptureEnd  = " (nothing is captured until that is fixed; `memory-hooks doctor` shows this again)."
	AllowEnd    = "; tell the user, who alone decides it: `memory-hooks allow` shows and allows it."
)

// How the lines end that begin with Health.
const (
	HealthEnd    = " (memory-validate shows them)."
	OldFormatEnd = " in an old format (memory-migrate shows what they become)."
)

// FindingsEnd is how the last line of findings ends, behind the command that fixes them: what a
// user has typed may follow it.
const FindingsEnd = "`memory-validate --explain RULE` tells about a rule.\n"

// brokenIndex is how findings at a stop began in version 0.1.0.
const brokenIndex = "The memory index was changed in this session and is not true any more."

// own are the beginnings, and what ends the text; "" is that nothing does.
var own = []struct{ begin, end string }{
	{Findings, FindingsEnd}, {BrokenIndex, FindingsEnd}, {brokenIndex, FindingsEnd}, {Recalled, ""}, {Learnings, ""}, {Commands, ""}, {ShellCommands, ""},
}

// withoutOwn takes out what this program has put into a text, where it begins a line.
func withoutOwn(text string) string {
	for _, o := range own {
		text = without(text, strings.TrimSuffix(o.begin, "\n"), strings.TrimSuffix(o.end, "\n"))
	}
	if !strings.Contains(text, Health) && !strings.Contains(text, Settings) {
		return text
	}
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !isOwnLine(strings.TrimSpace(line)) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// isOwnLine reports whether a line is one that this program has put before an agent.
func isOwnLine(line string) bool {
	if strings.HasPrefix(line, Settings) {
		return slices.ContainsFunc([]string{SettingsEnd, CaptureEnd, AllowEnd}, func(end string) bool { return strings.HasSuffix(line, end) })
	}
	return strings.HasPrefix(line, Health) && (strings.HasSuffix(line, HealthEnd) || strings.HasSuffix(line, OldFormatEnd))
}

// without takes out what begins and ends with something.
func without(text, begin, end string) string {
	var out strings.Builder
	done := 0
	for {
		at := lineIndex(text, begin, done)
		if at < 0 {
			break
		}
		out.WriteString(text[done:at])
		i := strings.Index(text[at:], end)
		if end == "" || i < 0 {
			return out.String()
		}
		done = at + i + len(end)
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// lineIndex is where a line begins with something, from a place on; -1 is nowhere.
func lineIndex(text, begin string, from int) int {
	for from < len(text) {
		at := strings.Index(text[from:], begin)
		if at < 0 {
			return -1
		}
		if at += from; isLineStart(text, at) {
			return at
		}
		from = at + 1
	}
	return -1
}

// isLineStart tells whether only blanks stand before a place in its line.
func isLineStart(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \t")
	return before == "" || strings.HasSuffix(before, "\n")
}
