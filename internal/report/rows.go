package report

import (
	"whence/internal/text"
)

// totals returns the figures of all sessions: a name, indented below the whole it is a part of; a
// number; a share; a sparkline by week.
func (t Transcripts) totals() [][]string {
	all := t.Total
	byWeek := func(of func(Tally) float64) string {
		var values []float64
		for _, w := range t.Weeks {
			values = append(values, of(w.Tally))
		}
		return spark(values)
	}
	sum := func(name string, of func(Tally) int) []string {
		return []string{name, whole(of(all)), "", byWeek(func(t Tally) float64 { return float64(of(t)) })}
	}
	part := func(name string, of, total func(Tally) int) []string {
		return []string{name, whole(of(all)), percent(of(all), total(all)), byWeek(func(t Tally) float64 { return share(of(t), total(t)) })}
	}
	sessions := func(t Tally) int { return t.Sessions }
	queries := func(t Tally) int { return t.Asked }
	items := func(t Tally) int { return t.Items }
	reads := func(t Tally) int { return t.Reads }
	pointers := func(t Tally) int { return t.Pointers }
	read := func(t Tally) int { return t.Read }
	return [][]string{
		sum("sessions", sessions),
		part("  with a recall", func(t Tally) int { return t.Recalled }, sessions),
		part("    asked by the user", func(t Tally) int { return t.Prompted }, sessions),
		part("    asked by the agent", func(t Tally) int { return t.Tooled }, sessions),
		part("    injected", func(t Tally) int { return t.Injected }, sessions),
		sum("queries", queries),
		part("  without an answer", func(t Tally) int { return t.Missed }, queries),
		part("  by agents themselves", func(t Tally) int { return t.Own }, queries),
		{"    per session", ratio(all.Own, all.Sessions), "", byWeek(func(t Tally) float64 { return share(t.Own, t.Sessions) })},
		sum("    decisions read", reads),
		part("      not shown before", func(t Tally) int { return t.Unshown }, reads),
		sum("items injected", items),
		part("  used", func(t Tally) int { return t.Used }, items),
		part("    opened", func(t Tally) int { return t.Opened }, items),
		part("    cited", func(t Tally) int { return t.Cited }, items),
		part("    quoted", func(t Tally) int { return t.Quoted }, items),
		part("  with a path that is missing", func(t Tally) int { return t.Stale }, items),
		{"  per 1,000 tokens", all.perThousand(), "", byWeek(func(t Tally) float64 { return 10 * share(t.Items, t.Tokens) })},
		part("  pointers", pointers, items),
		part("    read within ten calls", read, pointers),
		part("      then changed what it names", func(t Tally) int { return t.Changed }, read),
	}
}

func tallyHead(first string) []string {
	return []string{first, "sessions", "recall", "items", "used", "pointers", "read", "look-ups"}
}

func tallyRow(name string, t Tally) []string {
	return []string{name, whole(t.Sessions), percent(t.Recalled, t.Sessions), whole(t.Items), percent(t.Used, t.Items), whole(t.Pointers), percent(t.Read, t.Pointers), ratio(t.Own, t.Sessions)}
}

func eventHead() []string {
	return []string{"injected at", "times", "items", "each", "used", "pointers", "read"}
}

// eventRows has a row an event.
func (t Transcripts) eventRows() (rows [][]string) {
	for _, e := range t.Events {
		rows = append(rows, []string{text.Printable(e.Event), whole(e.Texts), whole(e.Items), ratio(e.Items, e.Texts), percent(e.Used, e.Items), whole(e.Pointers), percent(e.Read, e.Pointers)})
	}
	return rows
}

// agentRows has a row an agent.
func (t Transcripts) agentRows() (rows [][]string) {
	for _, a := range t.Agents {
		rows = append(rows, tallyRow(a.Agent.Title(), a.Tally))
	}
	return rows
}

// weekRows has a row a week.
func (t Transcripts) weekRows() (rows [][]string) {
	for _, w := range t.Weeks {
		rows = append(rows, tallyRow(w.Monday, w.Tally))
	}
	return rows
}

// splitRows has a row before the day of the split, and one from then on.
func splitRows[T any](s *Split[T], row func(name string, figures T) []string) [][]string {
	if s == nil {
		return nil
	}
	return [][]string{row("before "+s.Day, s.Before), row("from "+s.Day, s.After)}
}

func timeHead(first string) []string {
	return []string{first, "answered", "with items", "items", "pointers", "faults", "median", "p95", "p99"}
}

func timeRow(name string, e EventTime) []string {
	if e.Answered == 0 {
		return []string{name, "0", "–", "0", "0", "0", "–", "–", "–"}
	}
	return []string{name, whole(e.Answered), percent(e.WithItems, e.Answered), whole(e.Items), whole(e.Pointers), whole(e.Faults), millis(e.Median), millis(e.P95), millis(e.P99)}
}

// eventRows has a row an event, and one for all of them.
func (l Log) eventRows() (rows [][]string) {
	for _, e := range l.Events {
		rows = append(rows, timeRow(text.Printable(e.Event), e))
	}
	return append(rows, timeRow("all", l.Total))
}

// weekRows has a row a week.
func (l Log) weekRows() (rows [][]string) {
	for _, w := range l.Weeks {
		rows = append(rows, timeRow(w.Monday, w.EventTime))
	}
	return rows
}
