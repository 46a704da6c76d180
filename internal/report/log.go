package report

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"whence/internal/dispatch"
)

// Log holds the figures from the log of events.
type Log struct {
	From   string            `json:"from,omitempty"` // the day of its first event
	Total  EventTime         `json:"total"`
	Events []EventTime       `json:"events"`
	Weeks  []LogWeek         `json:"weeks"`
	Split  *Split[EventTime] `json:"split,omitempty"`
	Odd    int               `json:"odd,omitempty"` // lines that are not records
}

// LogWeek holds the figures of a week.
type LogWeek struct {
	Monday string `json:"monday"`
	EventTime
}

// EventTime counts how often an event was answered, and how long that took in milliseconds.
type EventTime struct {
	Event     string  `json:"event,omitempty"`
	Answered  int     `json:"answered"`
	WithItems int     `json:"told"` // with items
	Items     int     `json:"items"`
	Pointers  int     `json:"pointers"`
	Blocked   int     `json:"blocked"`
	Faults    int     `json:"faults"`
	Median    float64 `json:"median_ms"`
	P95       float64 `json:"p95_ms"`
	P99       float64 `json:"p99_ms"`
	Max       float64 `json:"most_ms"`
}

// logOf computes the figures of the log.
func logOf(log []dispatch.EventRecord, q Options) Log {
	l := Log{Events: []EventTime{}, Weeks: []LogWeek{}}
	var first time.Time
	events, weeks := map[string][]dispatch.EventRecord{}, map[string][]dispatch.EventRecord{}
	var before, after []dispatch.EventRecord
	for _, r := range log {
		if first.IsZero() || r.At.Before(first) {
			first = r.At
		}
		events[r.Event] = append(events[r.Event], r)
		monday := mondayOf(r.At)
		weeks[monday] = append(weeks[monday], r)
		if r.At.Before(q.Split) {
			before = append(before, r)
		} else {
			after = append(after, r)
		}
	}
	if len(log) > 0 {
		l.From = day(first)
	}
	l.Total = timeOf("", log)
	for _, name := range slices.Sorted(maps.Keys(events)) {
		l.Events = append(l.Events, timeOf(name, events[name]))
	}
	for _, monday := range mondays(slices.Sorted(maps.Keys(weeks))) {
		l.Weeks = append(l.Weeks, LogWeek{monday, timeOf("", weeks[monday])})
	}
	if !q.Split.IsZero() {
		l.Split = &Split[EventTime]{day(q.Split), timeOf("", before), timeOf("", after)}
	}
	return l
}

// decisionKey begins the keys of decisions.
const decisionKey = "decision "

func timeOf(event string, records []dispatch.EventRecord) EventTime {
	e := EventTime{Event: event, Answered: len(records)}
	took := make([]int64, 0, len(records))
	for _, r := range records {
		took = append(took, r.Micros)
		e.Items += len(r.Items)
		for _, item := range r.Lines {
			if strings.HasPrefix(item, decisionKey) {
				e.Pointers++
			}
		}
		if len(r.Items) > 0 {
			e.WithItems++
		}
		if r.Blocked {
			e.Blocked++
		}
		if r.Fault {
			e.Faults++
		}
	}
	slices.SortFunc(took, cmp.Compare)
	e.Median, e.P95, e.P99, e.Max = quantile(took, 0.5), quantile(took, 0.95), quantile(took, 0.99), quantile(took, 1)
	return e
}

// quantile returns, in milliseconds, the smallest of sorted times in microseconds that at least a
// share of them do not exceed.
func quantile(sorted []int64, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(share*float64(len(sorted)))) - 1
	return float64(sorted[min(max(rank, 0), len(sorted)-1)]) / 1000
}
