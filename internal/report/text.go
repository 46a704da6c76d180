package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"whence/internal/finding"
)

// How many lines of a list a terminal is shown; JSON and HTML have more.
const (
	shownMisses = 10
	shownNever  = 10
	shownStale  = 10
	shownWeeks  = 12
)

// Text prints figures for a terminal.
func Text(f Figures) string {
	var p printer
	p.line("Is memory reaching the agent? %s.", period(f))
	p.transcripts(f.Transcripts)
	p.log(f.Log)
	p.misses(f.Misses)
	if f.Memory != nil {
		p.memory(*f.Memory)
	}
	return p.String()
}

// period says what time the figures are about.
func period(f Figures) string {
	if f.Since == "" {
		return "All that there is; days are those of UTC"
	}
	return "Since " + f.Since + "; days are those of UTC"
}

type printer struct{ strings.Builder }

func (p *printer) line(format string, args ...any) {
	p.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// table prints rows in columns: the first is set left, and so is one whose head begins with
// a blank; the others right.
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

func (p *printer) transcripts(t Transcripts) {
	unread := ""
	if t.Unread > 0 {
		unread = fmt.Sprintf(", %s not readable", whole(t.Unread))
	}
	p.line("\nFrom transcripts (%s files%s)\n", whole(t.Files), unread)
	p.table([]string{"", "number", "share", " by week"}, t.rows())
	if len(t.Events) > 0 {
		var rows [][]string
		for _, e := range t.Events {
			rows = append(rows, []string{finding.Printable(e.Event), whole(e.Texts), whole(e.Items), ratio(e.Items, e.Texts), percent(e.Used, e.Items)})
		}
		p.line("")
		p.table([]string{"injected at", "times", "items", "each", "used"}, rows)
	}
	if len(t.Weeks) > 0 {
		var rows [][]string
		for _, w := range t.Weeks[max(0, len(t.Weeks)-shownWeeks):] {
			rows = append(rows, tallyRow(w.Monday, w.Tally))
		}
		p.line("")
		p.table(tallyHead("week from"), rows)
	}
	if t.Split != nil {
		p.line("")
		p.table(tallyHead("time"), [][]string{tallyRow("before "+t.Split.Day, t.Split.Before), tallyRow("from "+t.Split.Day, t.Split.After)})
	}
}

func tallyHead(first string) []string {
	return []string{first, "sessions", "recall", "items", "per 1,000", "used"}
}

func tallyRow(name string, t Tally) []string {
	return []string{name, whole(t.Sessions), percent(t.Recalled, t.Sessions), whole(t.Items), t.perThousand(), percent(t.Used, t.Items)}
}

func (p *printer) log(l Log) {
	if l.Total.Answered == 0 {
		p.line("\nFrom the log of events: nothing was answered")
		return
	}
	odd := ""
	if l.Odd > 0 {
		odd = fmt.Sprintf(", %s lines that are none", whole(l.Odd))
	}
	p.line("\nFrom the log of events (begins %s%s)\n", l.From, odd)
	var rows [][]string
	for _, e := range l.Events {
		rows = append(rows, timeRow(finding.Printable(e.Event), e))
	}
	p.table(timeHead("event"), append(rows, timeRow("all", l.Total)))
	rows = nil
	for _, w := range l.Weeks[max(0, len(l.Weeks)-shownWeeks):] {
		rows = append(rows, timeRow(w.Monday, w.EventTime))
	}
	p.line("")
	p.table(timeHead("week from"), rows)
	if l.Split != nil {
		p.line("")
		p.table(timeHead("time"), [][]string{timeRow("before "+l.Split.Day, l.Split.Before), timeRow("from "+l.Split.Day, l.Split.After)})
	}
}

func timeHead(first string) []string {
	return []string{first, "answered", "with items", "items", "faults", "median", "p95", "p99"}
}

func timeRow(name string, e EventTime) []string {
	if e.Answered == 0 {
		return []string{name, "0", "–", "0", "0", "–", "–", "–"}
	}
	return []string{name, whole(e.Answered), percent(e.Told, e.Answered), whole(e.Items), whole(e.Faults), millis(e.Median), millis(e.P95), millis(e.P99)}
}

func (p *printer) misses(all []Miss) {
	if len(all) == 0 {
		return
	}
	p.line("\nQueries without an answer (each may be a new trigger)\n")
	for _, m := range all[:min(len(all), shownMisses)] {
		p.line("  %4d×  %-6s  %s", m.Times, m.From, finding.Printable(m.Query))
	}
	p.more(len(all) - shownMisses)
}

func (p *printer) memory(m Memory) {
	p.line("\nThe memory of this project: %s of %s entries never recalled (%s), %s stale paths", whole(len(m.Never)), whole(m.Entries), percent(len(m.Never), m.Entries), whole(len(m.Stale)))
	p.list("never recalled", m.Never, shownNever)
	p.list("stale paths", m.Stale, shownStale)
}

func (p *printer) list(title string, all []string, most int) {
	if len(all) == 0 {
		return
	}
	p.line("\n  %s:", title)
	for _, s := range all[:min(len(all), most)] {
		p.line("    %s", finding.Printable(s))
	}
	p.more(len(all) - most)
}

// more says how many are not shown.
func (p *printer) more(n int) {
	if n > 0 {
		p.line("    … and %s more (--format json has them)", whole(n))
	}
}
