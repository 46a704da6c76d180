package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"whence/internal/text"
)

// Bounds of lists in a terminal. JSON and HTML have more.
const (
	maxMissLines    = 10
	maxUnshownLines = 10
	maxNeverLines   = 10
	maxStaleLines   = 10
	maxWeekLines    = 12
)

// Text returns a report for a terminal.
func Text(f Figures) string {
	var p printer
	p.line("Is memory reaching the agent? %s.", period(f))
	if isEmpty(f) {
		p.line("\n%s", nothingYet)
	} else {
		p.transcripts(f.Transcripts)
		p.log(f.Log)
	}
	if f.Learnings != nil {
		p.learnings(*f.Learnings)
	}
	p.misses(f.Misses)
	if f.Memory != nil {
		p.memory(*f.Memory)
	}
	return p.String()
}

// learnings prints the figures from the store.
func (p *printer) learnings(l Learnings) {
	p.line("\nLearnings: %s stored; stored in a session of the last 7 days: %s (goal: 3 or more)", whole(l.Stored), whole(l.CapturedThisWeek))
	if l.ShownPercent != nil {
		p.line("of those shown when a session begins, %.0f %% were stored in a session (goal: at most 40 %%)", *l.ShownPercent)
	}
}

// isEmpty reports whether there was neither a session nor an event.
func isEmpty(f Figures) bool { return f.Transcripts.Files == 0 && f.Log.Total.Answered == 0 }

// nothingYet is the report before the first session.
const nothingYet = "Nothing yet: there was no session and no event. Figures appear after the first session of an agent " +
	"that runs memory-hooks (memory-hooks status lists them), and weeks can be compared from the second one on."

// period describes the time that the figures cover.
func period(f Figures) string {
	if f.Since == "" {
		return "All sessions; days are in UTC"
	}
	return "Since " + f.Since + "; days are in UTC"
}

type printer struct{ strings.Builder }

func (p *printer) line(format string, args ...any) {
	p.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// table prints rows in columns. The first column, and those whose head begins with a space, are
// aligned to the left, the others to the right.
func (p *printer) table(head []string, rows [][]string) {
	widths := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i := range widths {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	for _, row := range append([][]string{head}, rows...) {
		var out strings.Builder
		for i, cell := range row {
			switch {
			case i == 0 || strings.HasPrefix(head[i], " "):
				out.WriteString("  " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
			default:
				out.WriteString("  " + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)) + cell)
			}
		}
		p.line("%s", out.String())
	}
}

// fileCount formats a number of files.
func fileCount(n int) string {
	if n == 1 {
		return "1 file"
	}
	return whole(n) + " files"
}

func (p *printer) transcripts(t Transcripts) {
	unread := ""
	if t.Unread > 0 {
		unread = fmt.Sprintf(", %s not readable", whole(t.Unread))
	}
	p.line("\nFrom transcripts (%s%s)\n", fileCount(t.Files), unread)
	p.table([]string{"", "number", "share", " by week"}, t.totals())
	if len(t.Agents) > 0 {
		p.line("")
		p.table(tallyHead("agent"), t.agentRows())
	}
	if len(t.Events) > 0 {
		p.line("")
		p.table(eventHead(), t.eventRows())
	}
	p.tables(tallyHead, last(t.weekRows(), maxWeekLines), splitRows(t.Split, tallyRow))
}

// tables prints the tables by week, and before and after a split, unless they are empty.
func (p *printer) tables(head func(first string) []string, weeks, split [][]string) {
	if len(weeks) > 0 {
		p.line("")
		p.table(head("week from"), weeks)
	}
	if len(split) > 0 {
		p.line("")
		p.table(head("time"), split)
	}
}

func last(rows [][]string, n int) [][]string { return rows[max(0, len(rows)-n):] }

func (p *printer) log(l Log) {
	if l.Total.Answered == 0 {
		p.line("\nFrom the log of events: nothing was answered in this time")
		return
	}
	odd := ""
	if l.Odd > 0 {
		odd = fmt.Sprintf(", %s unreadable lines", whole(l.Odd))
	}
	p.line("\nFrom the log of events (begins %s%s)\n", l.From, odd)
	p.table(timeHead("event"), l.eventRows())
	p.tables(timeHead, last(l.weekRows(), maxWeekLines), splitRows(l.Split, timeRow))
}

func (p *printer) misses(all []Miss) {
	if len(all) == 0 {
		return
	}
	p.line("\nQueries without an answer (each may be a new trigger)\n")
	for _, m := range all[:min(len(all), maxMissLines)] {
		p.line("  %4d×  %-6s  %s", m.Times, m.From, text.Printable(m.Query))
	}
	p.more(len(all) - maxMissLines)
}

func (p *printer) memory(m Memory) {
	p.line("\nThe memory of this project: %s of %s entries never recalled (%s), %s stale paths", whole(len(m.Never)), whole(m.Entries), percent(len(m.Never), m.Entries), whole(len(m.Stale)))
	if m.Bare > 0 {
		p.line("  %s of its decisions (%s) have no situations, so recall finds them less often", whole(m.Bare), percent(m.Bare, m.Entries))
	}
	p.list("read by agents without being shown (recall missed them)", m.Unshown, maxUnshownLines)
	p.list("never recalled", m.Never, maxNeverLines)
	p.list("stale paths", m.Stale, maxStaleLines)
}

func (p *printer) list(title string, all []string, maxLines int) {
	if len(all) == 0 {
		return
	}
	p.line("\n  %s:", title)
	for _, s := range all[:min(len(all), maxLines)] {
		p.line("    %s", text.Printable(s))
	}
	p.more(len(all) - maxLines)
}

// more prints the number of lines that are not shown.
func (p *printer) more(n int) {
	if n > 0 {
		p.line("    … and %s more (--format json has them)", whole(n))
	}
}
