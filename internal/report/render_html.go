package report

import (
	_ "embed"
	"fmt"
	"html"
	"strings"

	"whence/internal/text"
)

//go:embed page.css
var pageCSS string

// HTML returns a report as a page. The page has no scripts and loads nothing, neither fonts nor
// images, and forbids the browser to load any.
func HTML(f Figures) string {
	var p page
	p.put(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>Is memory reaching the agent?</title>
<style>
`)
	p.WriteString(pageCSS)
	p.put(`</style>
</head>
<body>
<h1>Is memory reaching the agent?</h1>
<p>%s.</p>
`, period(f))
	if isEmpty(f) {
		p.put("<p>%s</p>\n", nothingYet)
	}
	p.tiles(f)
	p.put("<h2>Plots</h2>\n<div class=\"plots\">\n")
	p.sessionsPlot(f.Transcripts.Weeks)
	p.sharesPlot(f.Transcripts.Weeks)
	p.eventsPlot(f.Transcripts.Events)
	p.timesPlot(f.Log.Events)
	p.put("</div>\n")
	p.transcripts(f.Transcripts)
	p.log(f.Log)
	p.misses(f.Misses)
	if f.Memory != nil {
		p.memory(*f.Memory)
	}
	p.put("</body>\n</html>\n")
	return p.String()
}

// page builds the text of an HTML page.
type page struct{ strings.Builder }

// put writes HTML. String arguments are escaped.
func (p *page) put(format string, args ...any) {
	for i, arg := range args {
		if value, is := arg.(string); is {
			args[i] = html.EscapeString(text.Printable(value))
		}
	}
	fmt.Fprintf(p, format, args...)
}

func (p *page) tiles(f Figures) {
	t := f.Transcripts.Total
	p.put("<ul class=\"tiles\">\n")
	for _, tile := range [][2]string{
		{whole(t.Sessions), "sessions"},
		{percent(t.Recalled, t.Sessions), "of them with a recall"},
		{whole(t.Items), "items injected"},
		{percent(t.Used, t.Items), "of them used"},
		{percent(t.Read, t.Pointers), "of pointers read within ten calls"},
		{ratio(t.Own, t.Sessions), "look-ups by agents per session"},
		{percent(t.Unshown, t.Reads), "of decisions read that were not shown before"},
		{percent(t.Missed, t.Asked), "of queries without an answer"},
		{latency(f.Log.Total), "p95 of answering an event"},
	} {
		p.put("<li><b>%s</b><span>%s</span></li>\n", tile[0], tile[1])
	}
	p.put("</ul>\n<p>The last figure is from the log of events, all others are from transcripts.</p>\n")
}

func latency(e EventTime) string {
	if e.Answered == 0 {
		return "–"
	}
	return millis(e.P95)
}

func (p *page) transcripts(t Transcripts) {
	p.put("<h2>From transcripts</h2>\n<p>%s", fileCount(t.Files))
	if t.Unread > 0 {
		p.put(", %s not readable", whole(t.Unread))
	}
	p.put(".</p>\n")
	var totals [][]string
	for _, row := range t.totals() {
		totals = append(totals, row[:3]) // the plots have the weeks
	}
	p.table("In all", []string{"", "number", "share"}, totals)
	p.table("By agent", tallyHead("agent"), t.agentRows())
	p.table("By event", eventHead(), t.eventRows())
	p.table("Before and after", tallyHead("time"), splitRows(t.Split, tallyRow))
	p.table("By week", tallyHead("week from"), t.weekRows())
}

func (p *page) log(l Log) {
	p.put("<h2>From the log of events</h2>\n")
	if l.Total.Answered == 0 {
		p.put("<p>Nothing was answered in this time.</p>\n")
		return
	}
	p.put("<p>It begins %s; it holds nothing older.</p>\n", l.From)
	p.table("By event", timeHead("event"), l.eventRows())
	p.table("Before and after", timeHead("time"), splitRows(l.Split, timeRow))
	p.table("By week", timeHead("week from"), l.weekRows())
}

func (p *page) misses(all []Miss) {
	if len(all) == 0 {
		return
	}
	p.put("<h2>Queries without an answer</h2>\n<p>Each may be a new trigger.</p>\n<div class=\"table\" tabindex=\"0\"><table>\n<tr><th>query</th><th>from</th><th>times</th></tr>\n")
	for _, m := range all {
		p.put("<tr><td class=\"words\">%s</td><td>%s</td><td>%s</td></tr>\n", m.Query, string(m.From), whole(m.Times))
	}
	p.put("</table></div>\n")
}

func (p *page) memory(m Memory) {
	p.put("<h2>The memory of this project</h2>\n<p>%s of %s entries were never recalled.</p>\n", whole(len(m.Never)), whole(m.Entries))
	p.put("<p>%s of its decisions (%s) have no situations.</p>\n", whole(m.Bare), percent(m.Bare, m.Entries))
	p.list("Read by agents without being shown", m.Unshown)
	p.list("Never recalled", m.Never)
	p.list("Stale paths", m.Stale)
}

func (p *page) list(title string, all []string) {
	if len(all) == 0 {
		return
	}
	p.put("<h3>%s</h3>\n<ul class=\"list\">\n", title)
	for _, s := range all {
		p.put("<li>%s</li>\n", s)
	}
	p.put("</ul>\n")
}

// maxOpenRows is the maximum number of rows of a table that is shown unfolded.
const maxOpenRows = 16

// maxNarrowColumns is the number of columns that fit on a phone, which shows each row of a wider
// table as a list, with the heads of the columns as labels.
const maxNarrowColumns = 3

func (p *page) table(caption string, head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	if len(rows) > maxOpenRows {
		p.put("<details>\n<summary>%s</summary>\n", caption+": "+whole(len(rows)))
		defer p.put("</details>\n")
	}
	class := ""
	if len(head) > maxNarrowColumns {
		class = " class=\"wide\""
	}
	p.WriteString("<div class=\"table\" tabindex=\"0\"><table" + class + ">\n")
	p.put("<caption>%s</caption>\n<thead><tr>", caption)
	for _, cell := range head {
		p.put("<th scope=\"col\">%s</th>", cell)
	}
	p.put("</tr></thead>\n<tbody>\n")
	for _, row := range rows {
		p.put("<tr>")
		for i, cell := range row {
			p.put("<td data-label=\"%s\">%s</td>", head[i], cell)
		}
		p.put("</tr>\n")
	}
	p.put("</tbody></table></div>\n")
}
