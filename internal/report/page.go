package report

import (
	_ "embed"
	"html/template"
	"strings"

	"whence/internal/inert"
)

//go:embed page.html
var pageHTML string

// HTML returns a report as a page. The page has no scripts and loads nothing, not even fonts or images, and forbids
// the browser to load anything.
func HTML(f Figures) (string, error) {
	t, err := template.New("page").Funcs(template.FuncMap{"printable": inert.Printable, "nothingYet": func() string { return nothingYet }}).Parse(pageHTML)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = t.Execute(&out, struct {
		content
		Bars []bar
	}{contentOf(f), bars(f.Weeks)})
	return out.String(), err
}

// The plot is laid out in the pixels of a phone's screen and stretched on larger ones, so that its texts are readable
// on both. The template draws its axes.
const (
	plotLeft   = 46.0
	plotRight  = 332.0
	plotHeight = 150.0
	plotBottom = 160.0
)

// bar is a week in the plot. It shows the share of pointers that were read, and the part of them that a change
// followed.
type bar struct {
	Week
	X, Width                  float64
	ReadTop, ReadHeight       float64
	ChangedTop, ChangedHeight float64
	Named                     bool // at most four names fit
	NameX                     float64
}

func bars(weeks []Week) (all []bar) {
	step := (plotRight - plotLeft) / float64(max(len(weeks), 1))
	for i, w := range weeks {
		x := plotLeft + float64(i)*step
		b := bar{Week: w, X: x + step*.15, Width: step * .7}
		b.Named, b.NameX = i%((len(weeks)+3)/4) == 0, min(x+step/2, plotRight-26)
		if w.Pointers > 0 {
			read := share(w.Read, w.Pointers) / 100 * plotHeight
			changed := share(w.Changed, w.Pointers) / 100 * plotHeight
			b.ReadTop, b.ReadHeight = plotBottom-read, read-changed
			b.ChangedTop, b.ChangedHeight = plotBottom-changed, changed
		}
		all = append(all, b)
	}
	return all
}
