package report

// rows are what all sessions add up to: a name, set in below what it is a part of; a number;
// a share; how it went by week.
func (t Transcripts) rows() [][]string {
	all, weeks := t.Total, t.Weeks
	of := func(part func(Tally) int, whole func(Tally) int) string {
		return spark(each(weeks, func(w Week) float64 { return Share(part(w.Tally), whole(w.Tally)) }))
	}
	sessions := func(t Tally) int { return t.Sessions }
	items := func(t Tally) int { return t.Items }
	return [][]string{
		{"sessions", whole(all.Sessions), "", spark(each(weeks, func(w Week) float64 { return float64(w.Sessions) }))},
		{"  with a recall", whole(all.Recalled), percent(all.Recalled, all.Sessions), of(func(t Tally) int { return t.Recalled }, sessions)},
		{"    asked by the user", whole(all.Prompted), percent(all.Prompted, all.Sessions), of(func(t Tally) int { return t.Prompted }, sessions)},
		{"    asked by the agent", whole(all.Tooled), percent(all.Tooled, all.Sessions), of(func(t Tally) int { return t.Tooled }, sessions)},
		{"    injected", whole(all.Injected), percent(all.Injected, all.Sessions), of(func(t Tally) int { return t.Injected }, sessions)},
		{"queries", whole(all.Asked), "", spark(each(weeks, func(w Week) float64 { return float64(w.Asked) }))},
		{"  without an answer", whole(all.Missed), percent(all.Missed, all.Asked), of(func(t Tally) int { return t.Missed }, func(t Tally) int { return t.Asked })},
		{"items injected", whole(all.Items), "", spark(each(weeks, func(w Week) float64 { return float64(w.Items) }))},
		{"  used", whole(all.Used), percent(all.Used, all.Items), of(func(t Tally) int { return t.Used }, items)},
		{"    opened", whole(all.Opened), percent(all.Opened, all.Items), of(func(t Tally) int { return t.Opened }, items)},
		{"    cited", whole(all.Cited), percent(all.Cited, all.Items), of(func(t Tally) int { return t.Cited }, items)},
		{"    quoted", whole(all.Quoted), percent(all.Quoted, all.Items), of(func(t Tally) int { return t.Quoted }, items)},
		{"    judged", whole(all.Judged), percent(all.Judged, all.Items), of(func(t Tally) int { return t.Judged }, items)},
		{"  with a path that is missing", whole(all.Stale), percent(all.Stale, all.Items), of(func(t Tally) int { return t.Stale }, items)},
		{"  per 1,000 tokens", all.perThousand(), "", spark(each(weeks, func(w Week) float64 { return w.PerThousand() }))},
	}
}
