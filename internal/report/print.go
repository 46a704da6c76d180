package report

import (
	"fmt"
	"strconv"
	"strings"

	"whence/internal/cli"
	"whence/internal/inert"
)

// maxListLines bounds each list in a terminal. JSON and HTML have all lines.
const maxListLines = 10

// nothingYet is the report before the first session.
const nothingYet = "Nothing yet: there was no session. Figures appear after the first session of an agent that runs memory-hooks (memory-hooks doctor lists them)."

// content holds the parts of a report that the text and the page share. Without sessions, nothing was measured: there
// are no tables, no goals, and no list of decisions that were never shown.
type content struct {
	Period    string
	Tables    [][][]string // a table by agent and one by week: rows, the head first
	Recall    string
	Learnings []string
	Memory    string
	Never     []list
}

// list lists queries of decisions that were never shown.
type list struct {
	Title   string
	Queries []string
}

func contentOf(f Figures) content {
	c := content{Period: period(f)}
	if f.Total.Sessions == 0 {
		if f.Learnings != nil {
			c.Learnings = []string{fmt.Sprintf("Learnings: %d stored", f.Learnings.Stored)}
		}
		return c
	}
	c.Tables = tables(f)
	if t := f.Total; t.Pointed > 0 {
		c.Recall = fmt.Sprintf("Recall: of %s in which a decision applied, one was looked up in %d (%s; goal: more than 10 %%)",
			cli.Count(t.Pointed, "session", "sessions"), t.Recalled, percent(t.Recalled, t.Pointed))
	}
	if f.Learnings != nil {
		c.Learnings = f.Learnings.lines()
	}
	if m := f.Memory; m != nil {
		never := len(m.Bare) + len(m.Never)
		c.Memory = fmt.Sprintf("The memory of this project: %d of %s never shown (%s)", never, cli.Count(m.Entries, "entry", "entries"), percent(never, m.Entries))
		c.Never = []list{
			{"never shown, and without situations: your agent writes them (memory-remember entry draft --format json)", m.Bare},
			{"never shown, although they have situations: are these what people type, do or see?", m.Never},
		}
	}
	return c
}

// Text returns a report for a terminal.
func Text(f Figures) string {
	c := contentOf(f)
	var p strings.Builder
	fmt.Fprintf(&p, "Is memory reaching the agent? %s.\n", c.Period)
	for _, rows := range c.Tables {
		p.WriteString("\n")
		writeTable(&p, rows)
	}
	if c.Recall != "" {
		p.WriteString("\n" + c.Recall + "\n")
	}
	if c.Tables == nil {
		p.WriteString("\n" + nothingYet + "\n")
	}
	if c.Learnings != nil {
		p.WriteString("\n" + strings.Join(c.Learnings, "\n") + "\n")
	}
	if c.Memory != "" {
		p.WriteString("\n" + c.Memory + "\n")
	}
	for _, l := range c.Never {
		writeList(&p, l)
	}
	return p.String()
}

// period describes what the figures cover.
func period(f Figures) string {
	covered := "All sessions"
	if f.Since != "" {
		covered = "Sessions since " + f.Since
	}
	covered += " in " + cli.Count(f.Transcripts, "transcript", "transcripts")
	if f.Unread > 0 {
		covered += fmt.Sprintf(", %d not readable", f.Unread)
	}
	return covered + "; days are in UTC"
}

// lines returns the figures of learnings as sentences, with the goals SC-5 and SC-4.
func (l Learnings) lines() []string {
	all := []string{fmt.Sprintf("Learnings: %d stored; stored in a session of the last 7 days: %d (goal: 3 or more)", l.Stored, l.CapturedThisWeek)}
	if l.ShownPercent != nil {
		all = append(all, fmt.Sprintf("Of those shown when a session begins, %.0f %% were typed by you or captured by an agent, the rest was imported (goal: at most 40 %%, if enough is imported)", *l.ShownPercent))
	}
	return all
}

// tables returns a table of the agents, with a row for all of them, and one of the weeks.
func tables(f Figures) [][][]string {
	head := []string{"agent", "sessions", "with a pointer", "pointers", "read", "then changed"}
	agents := [][]string{head}
	weeks := [][]string{append([]string{"week from"}, head[1:]...)}
	for _, a := range f.Agents {
		agents = append(agents, row(a.Agent.Title(), a.Tally))
	}
	agents = append(agents, row("all", f.Total))
	for _, w := range f.Weeks {
		weeks = append(weeks, row(w.Monday, w.Tally))
	}
	return [][][]string{agents, weeks}
}

func row(name string, t Tally) []string {
	return []string{
		name, strconv.Itoa(t.Sessions), percent(t.Pointed, t.Sessions), strconv.Itoa(t.Pointers), percent(t.Read, t.Pointers), percent(t.Changed, t.Read),
	}
}

// writeTable writes rows. All columns except the first are aligned to the right.
func writeTable(out *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		line := fmt.Sprintf("  %-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			line += fmt.Sprintf("  %*s", widths[i+1], cell)
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func writeList(out *strings.Builder, l list) {
	if len(l.Queries) == 0 {
		return
	}
	fmt.Fprintf(out, "\n  %s:\n", l.Title)
	for _, query := range l.Queries[:min(len(l.Queries), maxListLines)] {
		fmt.Fprintf(out, "    %s\n", inert.Printable(query))
	}
	if more := len(l.Queries) - maxListLines; more > 0 {
		fmt.Fprintf(out, "    … and %d more (--format json has them)\n", more)
	}
}

// percent formats a part of a whole in percent; "–" if the whole is 0.
func percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", share(part, whole))
}

// share returns a part of a whole in percent. The whole must not be 0.
func share(part, whole int) float64 { return 100 * float64(part) / float64(whole) }
