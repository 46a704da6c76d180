package report

import (
	"fmt"
	"strconv"
	"strings"

	"whence/internal/text"
)

// maxListLines bounds each list in a terminal. JSON and HTML have all.
const maxListLines = 10

// nothingYet is the report before the first session.
const nothingYet = "Nothing yet: there was no session. Figures appear after the first session of an agent that runs memory-hooks (memory-hooks doctor lists them)."

// Text returns a report for a terminal.
func Text(f Figures) string {
	var p strings.Builder
	fmt.Fprintf(&p, "Is memory reaching the agent? %s.\n", period(f))
	if f.Total.Sessions == 0 {
		p.WriteString("\n" + nothingYet + "\n")
	} else {
		p.WriteString("\n")
		table(&p, tallyHead("agent"), agentRows(f))
		p.WriteString("\n")
		table(&p, tallyHead("week from"), weekRows(f))
	}
	if f.Learnings != nil {
		p.WriteString("\n")
		for _, line := range f.Learnings.lines() {
			p.WriteString(line + "\n")
		}
	}
	if f.Memory != nil {
		fmt.Fprintf(&p, "\n%s\n", f.Memory.summary())
		list(&p, neverBare, f.Memory.Bare)
		list(&p, neverShown, f.Memory.Never)
	}
	return p.String()
}

// period describes what the figures cover.
func period(f Figures) string {
	covered := "All sessions"
	if f.Since != "" {
		covered = "Sessions since " + f.Since
	}
	covered += " in " + countOf(f.Transcripts, "transcript", "transcripts")
	if f.Unread > 0 {
		covered += fmt.Sprintf(", %d not readable", f.Unread)
	}
	return covered + "; days are in UTC"
}

func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// lines says what was learned, with the goals SC-5 and SC-4.
func (l Learnings) lines() []string {
	all := []string{fmt.Sprintf("Learnings: %d stored; stored in a session of the last 7 days: %d (goal: 3 or more)", l.Stored, l.CapturedThisWeek)}
	if l.ShownPercent != nil {
		all = append(all, fmt.Sprintf("Of those shown when a session begins, %.0f %% were typed by you or captured by an agent, the rest was imported (goal: at most 40 %%, if enough is imported)", *l.ShownPercent))
	}
	return all
}

const (
	neverBare  = "never shown, and without situations: your agent writes them (memory-remember entry drafts --format json)"
	neverShown = "never shown, although they have situations: are these what people type, do or see?"
)

func (m Memory) summary() string {
	never := len(m.Bare) + len(m.Never)
	return fmt.Sprintf("The memory of this project: %d of %s never shown (%s)", never, countOf(m.Entries, "entry", "entries"), percent(never, m.Entries))
}

func tallyHead(first string) []string {
	return []string{first, "sessions", "with a pointer", "pointers", "read", "then changed"}
}

func tallyRow(name string, t Tally) []string {
	return []string{
		name, strconv.Itoa(t.Sessions), percent(t.Pointed, t.Sessions), strconv.Itoa(t.Pointers), percent(t.Read, t.Pointers), percent(t.Changed, t.Read),
	}
}

// agentRows has a row an agent, and one for all of them.
func agentRows(f Figures) (rows [][]string) {
	for _, a := range f.Agents {
		rows = append(rows, tallyRow(a.Agent.Title(), a.Tally))
	}
	return append(rows, tallyRow("all", f.Total))
}

func weekRows(f Figures) (rows [][]string) {
	for _, w := range f.Weeks {
		rows = append(rows, tallyRow(w.Monday, w.Tally))
	}
	return rows
}

// table writes rows below their head, numbers aligned to the right.
func table(out *strings.Builder, head []string, rows [][]string) {
	widths := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for _, row := range append([][]string{head}, rows...) {
		line := fmt.Sprintf("  %-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			line += fmt.Sprintf("  %*s", widths[i+1], cell)
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func list(out *strings.Builder, title string, all []string) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(out, "\n  %s:\n", title)
	for _, line := range all[:min(len(all), maxListLines)] {
		fmt.Fprintf(out, "    %s\n", text.Printable(line))
	}
	if more := len(all) - maxListLines; more > 0 {
		fmt.Fprintf(out, "    … and %d more (--format json has them)\n", more)
	}
}

// percent formats a share; "–" if the whole is 0.
func percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", share(part, whole))
}

// share returns a part of a whole, which is not 0, in percent.
func share(part, whole int) float64 { return 100 * float64(part) / float64(whole) }
