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

// All strings in the figures are plain text in the page, and the page refers to nothing.
func TestThePageIsSafe(t *testing.T) {
	var evilFigures Figures
	fill(reflect.ValueOf(&evilFigures).Elem())
	page, err := HTML(evilFigures)
	require.NoError(t, err)
	for _, forbidden := range []string{"<script", "<img", "%!", "@import", "url(", "@font-face", "\x1b"} {
		require.False(t, strings.Contains(page, forbidden), forbidden)
	}
	require.NotContains(t, strings.ReplaceAll(page, "http://example.org/x", ""), "http:")
	require.Contains(t, page, "&lt;script&gt;")
	require.Contains(t, page, "default-src 'none'")
	require.Subset(t, elements(t, page), []string{"html", "svg", "figure", "table", "rect"})
	require.NotContains(t, elements(t, page), "script")
}

// The text for a terminal has no characters that move the cursor or reverse the text.
func TestTheTextIsPrintable(t *testing.T) {
	f := Compute([]Scan{{Session: "s", HasConversation: true}}, at("0001-01-01"), []Entry{{Query: evil}})
	f.Memory.Bare = []string{evil}
	text := Text(f)
	require.NotContains(t, text, "\x1b")
	require.NotContains(t, text, "\u202e")
	require.NotContains(t, text, "%!")
}

// Before the first session, the report says what to expect. Since nothing was measured, it names no goals, and no
// decisions that were never shown.
func TestAnEmptyReport(t *testing.T) {
	f := Compute(nil, at("2026-01-01"), []Entry{{Query: "/when idle"}})
	f.Learnings = &Learnings{Stored: 2}
	page, err := HTML(f)
	require.NoError(t, err)
	require.Contains(t, Text(f), "Sessions since 2026-01-01 in 0 transcripts; days are in UTC.\n\nNothing yet: there was no session.")
	for _, report := range []string{Text(f), page} {
		require.Contains(t, report, "Nothing yet: there was no session.")
		require.Contains(t, report, "Learnings: 2 stored")
		require.NotContains(t, report, "goal")
		require.NotContains(t, report, "never shown")
	}
}
