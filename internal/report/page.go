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
	p.put("</style>\n</head>\n<body>\n<h1>Is memory reaching the agent?</h1>\n<p>%s.</p>\n", period(f))
	if f.Total.Sessions == 0 {
		p.put("<p>%s</p>\n", nothingYet)
	} else {
		p.plot(f.Weeks)
		p.table("By agent", tallyHead("agent"), agentRows(f))
		p.table("By week", tallyHead("week from"), weekRows(f))
	}
	if f.Learnings != nil {
		p.list("Learnings", f.Learnings.lines())
	}
	if f.Memory != nil {
		p.put("<h2>Memory</h2>\n<p>%s.</p>\n", f.Memory.summary())
		p.list(strings.ToUpper(neverBare[:1])+neverBare[1:], f.Memory.Bare)
		p.list(strings.ToUpper(neverShown[:1])+neverShown[1:], f.Memory.Never)
	}
	p.put("</body>\n</html>\n")
	return p.String()
}

// page builds the text of an HTML page.
type page struct{ strings.Builder }

// put writes HTML. String arguments are escaped.
func (p *page) put(format string, args ...any) {
	for i, arg := range args {
		if value, isText := arg.(string); isText {
			args[i] = html.EscapeString(text.Printable(value))
		}
	}
	fmt.Fprintf(p, format, args...)
}

// The plot is laid out in the pixels of a phone's screen and stretched elsewhere, so that its texts are
// readable on both.
const (
	plotWidth  = 340.0
	plotHeight = 190.0
	plotLeft   = 46.0
	plotRight  = plotWidth - 8
	plotTop    = 10.0
	plotBottom = 160.0 // of the axis
)

// plot draws for each week the shares of pointers that were read, and that were read and followed by a
// change. A week without pointers has no bar.
func (p *page) plot(weeks []Week) {
	const title = "Pointers that were read, by week"
	p.put("<figure>\n<h2>%s</h2>\n<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">\n", title, plotWidth, plotHeight, title+", in percent of those shown")
	for share := 0; share <= 100; share += 25 {
		y := plotBottom - barHeight(float64(share))
		p.put("<line class=\"grid\" x1=\"%g\" y1=\"%.1f\" x2=\"%g\" y2=\"%.1f\"/><text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%d %%</text>\n", plotLeft, y, plotRight, y, plotLeft-5, y+4, share)
	}
	step := (plotRight - plotLeft) / float64(max(len(weeks), 1))
	for i, w := range weeks {
		x := plotLeft + float64(i)*step
		if w.Pointers > 0 {
			read, changed := barHeight(share(w.Read, w.Pointers)), barHeight(share(w.Changed, w.Pointers))
			p.put("<g><title>week from %s: %d pointers, %d read, %d followed by a change</title>", w.Monday, w.Pointers, w.Read, w.Changed)
			p.put("<rect class=\"rest\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x+step*.15, plotBottom-read, step*.7, read-changed)
			p.put("<rect class=\"one\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/></g>\n", x+step*.15, plotBottom-changed, step*.7, changed)
		}
		if every := (len(weeks) + 3) / 4; i%every == 0 { // at most four names fit
			p.put("<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%s</text>\n", min(x+step/2, plotWidth-34), plotBottom+18, w.Monday)
		}
	}
	p.put("</svg>\n<figcaption><span class=\"key one\"></span>read, then something it names was changed <span class=\"key rest\"></span>read</figcaption>\n</figure>\n")
}

func barHeight(percent float64) float64 { return percent / 100 * (plotBottom - plotTop) }

func (p *page) table(caption string, head []string, rows [][]string) {
	p.put("<div class=\"table\" tabindex=\"0\"><table>\n<caption>%s</caption>\n<thead><tr>", caption)
	for _, cell := range head {
		p.put("<th scope=\"col\">%s</th>", cell)
	}
	p.put("</tr></thead>\n<tbody>\n")
	for _, row := range rows {
		p.put("<tr>")
		for _, cell := range row {
			p.put("<td>%s</td>", cell)
		}
		p.put("</tr>\n")
	}
	p.put("</tbody></table></div>\n")
}

func (p *page) list(title string, all []string) {
	if len(all) == 0 {
		return
	}
	p.put("<h3>%s</h3>\n<ul>\n", title)
	for _, line := range all {
		p.put("<li>%s</li>\n", line)
	}
	p.put("</ul>\n")
}
