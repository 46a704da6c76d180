package report

import "whence/internal/text"

// totals returns the figures of all sessions: a name, indented below the whole it is a part of; a
// number; a share; a sparkline by week.
func (t Transcripts) totals() [][]string {
	all, weeks := t.Total, t.Weeks
	of := func(part func(Tally) int, whole func(Tally) int) string {
		return spark(weekValues(weeks, func(w Week) float64 { return Share(part(w.Tally), whole(w.Tally)) }))
	}
	sessions := func(t Tally) int { return t.Sessions }
	items := func(t Tally) int { return t.Items }
	return [][]string{
		{"sessions", whole(all.Sessions), "", spark(weekValues(weeks, func(w Week) float64 { return float64(w.Sessions) }))},
		{"  with a recall", whole(all.Recalled), percent(all.Recalled, all.Sessions), of(func(t Tally) int { return t.Recalled }, sessions)},
		{"    asked by the user", whole(all.Prompted), percent(all.Prompted, all.Sessions), of(func(t Tally) int { return t.Prompted }, sessions)},
		{"    asked by the agent", whole(all.Tooled), percent(all.Tooled, all.Sessions), of(func(t Tally) int { return t.Tooled }, sessions)},
		{"    injected", whole(all.Injected), percent(all.Injected, all.Sessions), of(func(t Tally) int { return t.Injected }, sessions)},
		{"queries", whole(all.Asked), "", spark(weekValues(weeks, func(w Week) float64 { return float64(w.Asked) }))},
		{"  without an answer", whole(all.Missed), percent(all.Missed, all.Asked), of(func(t Tally) int { return t.Missed }, func(t Tally) int { return t.Asked })},
		{"items injected", whole(all.Items), "", spark(weekValues(weeks, func(w Week) float64 { return float64(w.Items) }))},
		{"  used", whole(all.Used), percent(all.Used, all.Items), of(func(t Tally) int { return t.Used }, items)},
		{"    opened", whole(all.Opened), percent(all.Opened, all.Items), of(func(t Tally) int { return t.Opened }, items)},
		{"    cited", whole(all.Cited), percent(all.Cited, all.Items), of(func(t Tally) int { return t.Cited }, items)},
		{"    quoted", whole(all.Quoted), percent(all.Quoted, all.Items), of(func(t Tally) int { return t.Quoted }, items)},
		{"    judged", whole(all.Judged), percent(all.Judged, all.Items), of(func(t Tally) int { return t.Judged }, items)},
		{"  with a path that is missing", whole(all.Stale), percent(all.Stale, all.Items), of(func(t Tally) int { return t.Stale }, items)},
		{"  per 1,000 tokens", all.perThousand(), "", spark(weekValues(weeks, func(w Week) float64 { return w.PerThousand() }))},
	}
}

func tallyHead(first string) []string {
	return []string{first, "sessions", "recall", "items", "per 1,000", "used"}
}

func tallyRow(name string, t Tally) []string {
	return []string{name, whole(t.Sessions), percent(t.Recalled, t.Sessions), whole(t.Items), t.perThousand(), percent(t.Used, t.Items)}
}

// weekRows has a row a week.
func (t Transcripts) weekRows() (rows [][]string) {
	for _, w := range t.Weeks {
		rows = append(rows, tallyRow(w.Monday, w.Tally))
	}
	return rows
}

// splitRows has a row before the day of the split, and one from then on.
func (t Transcripts) splitRows() [][]string {
	if t.Split == nil {
		return nil
	}
	return [][]string{tallyRow("before "+t.Split.Day, t.Split.Before), tallyRow("from "+t.Split.Day, t.Split.After)}
}

func timeHead(first string) []string {
	return []string{first, "answered", "with items", "items", "faults", "median", "p95", "p99"}
}

func timeRow(name string, e EventTime) []string {
	if e.Answered == 0 {
		return []string{name, "0", "–", "0", "0", "–", "–", "–"}
	}
	return []string{name, whole(e.Answered), percent(e.WithItems, e.Answered), whole(e.Items), whole(e.Faults), millis(e.Median), millis(e.P95), millis(e.P99)}
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

// splitRows has a row before the day of the split, and one from then on.
func (l Log) splitRows() [][]string {
	if l.Split == nil {
		return nil
	}
	return [][]string{timeRow("before "+l.Split.Day, l.Split.Before), timeRow("from "+l.Split.Day, l.Split.After)}
}
