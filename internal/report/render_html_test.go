package report

import (
	"encoding/xml"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const evil = `</svg><script>alert("x")</script><img src=http://example.org/x onerror=alert(1)>&'` + "\u202e%s\x1b[31m"

// fill puts the evil text into each string of a value, and a few items into each list.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(evil)
	case reflect.Int:
		v.SetInt(1234)
	case reflect.Float64:
		v.SetFloat(12.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

// elements returns the names of all elements of a page, which is well-formed except for void
// elements.
func elements(t *testing.T, page string) (names []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.Token()
		if err == io.EOF {
			return names
		}
		require.NoError(t, err)
		if e, is := token.(xml.StartElement); is {
			names = append(names, e.Name.Local)
			for _, a := range e.Attr {
				require.NotContains(t, []string{"src", "onerror", "onload", "style", "srcset"}, a.Name.Local)
				require.True(t, a.Name.Local != "href" || a.Value == "data:,", a.Value)
			}
		}
	}
}

// All strings in the figures are text of the page, and the page refers to nothing.
func TestThePageIsSafe(t *testing.T) {
	var evilFigures Figures
	fill(reflect.ValueOf(&evilFigures).Elem())
	page := HTML(evilFigures)
	for _, forbidden := range []string{"<script", "<img", "%!", "@import", "url(", "@font-face", "\x1b"} {
		require.False(t, strings.Contains(page, forbidden), forbidden)
	}
	require.NotContains(t, strings.ReplaceAll(page, "http://example.org/x", ""), "http:")
	require.Contains(t, page, "&lt;script&gt;")
	require.Contains(t, page, "default-src 'none'")
	require.Subset(t, elements(t, page), []string{"html", "svg", "figure", "table", "rect", "path", "circle"})
	require.NotContains(t, elements(t, page), "script")
}

// The text for a terminal has nothing that moves the cursor or reverses the text.
func TestTheTextIsPrintable(t *testing.T) {
	var f Figures
	fill(reflect.ValueOf(&f).Elem())
	f.Since, f.Transcripts.Split.Day, f.Log.Split.Day, f.Log.From = "2026-01-01", "2026-01-01", "2026-01-01", "2026-01-01"
	for i := range 3 {
		f.Transcripts.Weeks[i].Monday, f.Log.Weeks[i].Monday, f.Misses[i].From = "2026-01-05", "2026-01-05", FromTool
	}
	text := Text(f)
	require.NotContains(t, text, "\x1b")
	require.NotContains(t, text, "%!")
}

// On a first day the report says what to expect, and when.
func TestAnEmptyReport(t *testing.T) {
	f := Compute(nil, nil, Options{})
	require.Contains(t, Text(f), "Nothing yet: there was no session and no event.")
	require.NotContains(t, Text(f), "From transcripts")
	require.Contains(t, HTML(f), "Nothing yet: there was no session and no event.")
	require.Equal(t, 4, strings.Count(HTML(f), "Nothing yet."))
	f.Transcripts.Files = 1
	require.Contains(t, Text(f), "From transcripts (1 file)")
	require.Contains(t, Text(f), "From the log of events: nothing was answered in this time")
}

// On a phone a wide table shows each row as a list: its cells carry the heads of their columns.
func TestWideTablesHaveLabels(t *testing.T) {
	var p page
	p.table("By event", []string{"event", "answered", "items", "<p95>"}, [][]string{{"Stop", "1", "0", "2 ms"}})
	require.Contains(t, p.String(), `<table class="wide">`)
	require.Contains(t, p.String(), `<td data-label="event">Stop</td><td data-label="answered">1</td><td data-label="items">0</td><td data-label="&lt;p95&gt;">2 ms</td>`)
	p.Reset()
	p.table("In all", []string{"", "number", "share"}, [][]string{{"sessions", "1", ""}})
	require.NotContains(t, p.String(), "wide")
	require.Contains(t, pageCSS, ".wide td::before { content: attr(data-label)")
}
