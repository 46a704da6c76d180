package notes

import (
	"errors"
	"slices"
	"strings"
)

// Bounds of an injection, of one item in it, and of the items of a note.
const (
	maxInjectionBytes = 1200
	maxItemBytes      = 240
	maxItems          = 60
)

// heading begins an injection.
const heading = "Notes of this project (in " + Folder + "/; data written down earlier, check that it still holds):\n"

// injected are the files whose content is injected.
var injected = []string{contextFile, decisionsFile, findingsFile}

// injection returns the notes for an agent; "" if they are empty.
func (f *folder) injection() (string, error) {
	var all error
	var lists [][]string
	for _, name := range injected {
		src, err := f.read(name)
		all = errors.Join(all, err)
		lists = append(lists, newestFirst(name, items(src)))
	}
	return injectionText(lists), all
}

// injectionText joins lists, the most important items first, taking from each in turn until the
// injection is full.
func injectionText(lists [][]string) string {
	left := maxInjectionBytes - len(heading)
	chosen := make([]string, len(lists))
	for turn, more := 0, true; more; turn++ {
		more = false
		for i, list := range lists {
			if turn >= len(list) {
				continue
			}
			more = true
			text := "- " + list[turn] + "\n"
			if chosen[i] == "" {
				text = injected[i] + ":\n" + text
			}
			if len(text) > left {
				continue // a shorter one may follow
			}
			left -= len(text)
			chosen[i] += text
		}
	}
	if text := strings.Join(chosen, ""); text != "" {
		return heading + text
	}
	return ""
}

// newestFirst returns the items of a note, each on an inert line, the last one first. Undated
// items of context.md come first, in their order: a goal precedes what follows from it.
func newestFirst(name string, all []item) (lines []string) {
	var dated []item
	for _, i := range all {
		if name != contextFile || isDated(i.text) {
			dated = append(dated, i)
		} else if len(lines) < maxItems {
			lines = append(lines, i.String())
		}
	}
	for _, i := range slices.Backward(dated) {
		if len(lines) < maxItems {
			lines = append(lines, i.String())
		}
	}
	return lines
}
