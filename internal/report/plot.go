package report

import (
	"fmt"
	"math"
	"strings"
)

// Plots are laid out in the pixels of a phone's screen and stretched elsewhere, so that their
// texts are readable on both.
const (
	plotWidth  = 340.0
	plotHeight = 190.0
	plotLeft   = 46.0
	plotTop    = 10.0
	plotBottom = 160.0 // of the axis
	plotRight  = plotWidth - 8
)

// figure writes a plot of n values, drawn by a function, with its title, description and keys.
func (p *page) figure(title, about string, n int, height float64, keys [][2]string, draw func()) {
	if n == 0 {
		p.put("<figure>\n<h3>%s</h3>\n<figcaption>Nothing yet.</figcaption>\n</figure>\n", title)
		return
	}
	p.put("<figure>\n<h3>%s</h3>\n<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">\n", title, plotWidth, height, title+": "+about)
	draw()
	p.put("</svg>\n<figcaption>")
	for _, key := range keys {
		p.put("<span class=\"key %s\"></span>%s", key[0], key[1])
	}
	p.put("</figcaption>\n</figure>\n")
}

// sessionsPlot draws a bar for each week.
func (p *page) sessionsPlot(weeks []Week) {
	maxSessions := 0
	for _, w := range weeks {
		maxSessions = max(maxSessions, w.Sessions)
	}
	p.figure("Sessions by week (transcripts)", "how many began in each week, and how many of them had a recall", len(weeks), plotHeight, [][2]string{{"one", "with a recall"}, {"rest", "without"}}, func() {
		top := p.axis(float64(maxSessions), "")
		p.weekNames(weeks)
		step := (plotRight - plotLeft) / float64(len(weeks))
		wide := math.Max(step*0.72, 0.5)
		for i, w := range weeks {
			x := plotLeft + (float64(i)+0.5)*step - wide/2
			all, with := height(float64(w.Sessions), top), height(float64(w.Recalled), top)
			p.put("<g><title>week from %s: %s of %s sessions with a recall</title>", w.Monday, whole(w.Recalled), whole(w.Sessions))
			p.put("<rect class=\"rest\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x, plotBottom-all, wide, all-with)
			p.put("<rect class=\"one\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/></g>\n", x, plotBottom-with, wide, with)
		}
	})
}

// sharesPlot draws the shares of sessions with a recall and of items that were used. A week without
// sessions or items has no point.
func (p *page) sharesPlot(weeks []Week) {
	p.figure("Shares by week (transcripts)", "sessions with a recall, and injected items that were used, in percent", len(weeks), plotHeight, [][2]string{{"one", "sessions with a recall"}, {"two", "items used"}}, func() {
		p.axis(100, " %")
		p.weekNames(weeks)
		p.curve("1", "one", "sessions with a recall", weeks, func(t Tally) (int, int) { return t.Recalled, t.Sessions })
		p.curve("2", "two", "items used", weeks, func(t Tally) (int, int) { return t.Used, t.Items })
	})
}

func (p *page) curve(number, class, name string, weeks []Week, of func(Tally) (part, whole int)) {
	step := (plotRight - plotLeft) / float64(len(weeks))
	var path strings.Builder
	var points page
	draw := "M"
	for i, w := range weeks {
		part, all := of(w.Tally)
		if all == 0 {
			draw = "M"
			continue
		}
		x, y := plotLeft+(float64(i)+0.5)*step, plotBottom-height(share(part, all), 100)
		fmt.Fprintf(&path, "%s%.1f %.1f", draw, x, y)
		points.put("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%g\"><title>week from %s, %s: %s</title></circle>\n", class, x, y, math.Min(3.5, math.Max(1, step/2)), w.Monday, name, percent(part, all))
		draw = "L"
	}
	if path.Len() > 0 {
		p.put("<path class=\"curve%s\" d=\"%s\"/>\n", number, path.String())
		p.WriteString(points.String())
	}
}

// Bounds of a plot with a row for each name.
const (
	rowHeight   = 36.0
	maxPlotRows = 12
)

// row is a row of a plot: a name and a value above a bar.
type row struct {
	name, value string
	bar         []rect
}

type rect struct {
	class         string
	x, wide, high float64
}

func (p *page) rowsPlot(title, about string, keys [][2]string, rows []row) {
	rows = rows[:min(len(rows), maxPlotRows)]
	p.figure(title, about, len(rows), float64(len(rows))*rowHeight+4, keys, func() {
		for i, r := range rows {
			y := float64(i) * rowHeight
			p.put("<text x=\"0\" y=\"%g\">%s</text><text x=\"%g\" y=\"%g\" text-anchor=\"end\">%s</text>\n", y+13, clipName(r.name), plotWidth, y+13, r.value)
			for _, b := range r.bar {
				p.put("<rect class=\"%s\" x=\"%.1f\" y=\"%g\" width=\"%.1f\" height=\"%g\"/>\n", b.class, b.x, y+23-b.high/2, b.wide, b.high)
			}
		}
	})
}

// eventsPlot draws a bar for the items of each event.
func (p *page) eventsPlot(events []EventItems) {
	most := 1.0
	for _, e := range events {
		most = max(most, float64(e.Items))
	}
	var rows []row
	for _, e := range events {
		all, used := float64(e.Items)/most*plotWidth, float64(e.Used)/most*plotWidth
		rows = append(rows, row{e.Event, whole(e.Items) + ", used " + whole(e.Used), []rect{{"two", 0, used, 10}, {"rest", used, all - used, 10}}})
	}
	p.rowsPlot("Items injected, by event (transcripts)", "how many, and how many of them were used", [][2]string{{"two", "used"}, {"rest", "not used"}}, rows)
}

// timesPlot draws the times of each event: a bar up to the median, a thinner one up to p95, and a
// mark at p99.
func (p *page) timesPlot(events []EventTime) {
	const mark = 3
	most := 0.001
	for _, e := range events {
		most = max(most, e.P99)
	}
	var rows []row
	for _, e := range events {
		at := func(ms float64) float64 { return ms / most * (plotWidth - mark) }
		rows = append(rows, row{e.Event, millis(e.Median) + " · " + millis(e.P95) + " · " + millis(e.P99), []rect{
			{"rest", 0, at(e.P95), 6}, {"one", 0, at(e.Median), 10}, {"two", at(e.P99), mark, 12},
		}})
	}
	p.rowsPlot("Time to answer, by event (log)", "median, 95th and 99th percentile", [][2]string{{"one", "up to the median"}, {"rest", "up to p95"}, {"two", "p99"}}, rows)
}

// clipName shortens a name to the room above a bar.
func clipName(name string) string {
	const maxChars = 22
	if all := []rune(name); len(all) > maxChars {
		return string(all[:maxChars-1]) + "…"
	}
	return name
}

func height(value, top float64) float64 {
	if top <= 0 {
		return 0
	}
	return value / top * (plotBottom - plotTop)
}

// axis draws lines for round numbers up to at least the highest value, and returns the top one.
func (p *page) axis(highest float64, unit string) (top float64) {
	step := math.Pow(10, math.Floor(math.Log10(math.Max(highest, 1))))
	for _, finer := range []float64{0.2, 0.25, 0.5, 1} {
		if size := step * finer; size >= 1 && size == math.Trunc(size) && highest/size <= 5 {
			step = size
			break
		}
	}
	top = math.Max(math.Ceil(highest/step), 1) * step
	for v := 0.0; v <= top; v += step {
		y := plotBottom - height(v, top)
		p.put("<line class=\"grid\" x1=\"%g\" y1=\"%.1f\" x2=\"%g\" y2=\"%.1f\"/><text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", plotLeft, y, plotRight, y, plotLeft-5, y+4, whole(int(v))+unit)
	}
	return top
}

// weekNames labels some weeks below the axis, without the year if there is only one.
func (p *page) weekNames(weeks []Week) {
	const maxNames = 4
	step := (plotRight - plotLeft) / float64(len(weeks))
	every := (len(weeks) + maxNames - 1) / maxNames
	for i := 0; i < len(weeks); i += every {
		name := weeks[i].Monday
		if len(weeks) <= 52 && len(name) == len("2006-01-02") {
			name = name[len("2006-"):]
		}
		p.put("<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%s</text>\n", math.Min(plotLeft+(float64(i)+0.5)*step, plotWidth-34), plotBottom+18, name)
	}
}
