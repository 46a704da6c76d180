package notes

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// Bounds of an injection, and of one item in it.
const (
	maxInjectionBytes = 1200
	maxItemBytes      = 240
)

// heading begins an injection.
const heading = "Notes of this project (in " + Folder + "/; data written down earlier, check that it still holds):\n"

// injection returns the notes for an agent; "" if they are empty.
func (f *folder) injection() (string, error) {
	var all error
	var lists [][]string
	for _, name := range []string{contextFile, decisionsFile, findingsFile} {
		src, err := f.read(name)
		if name != contextFile {
			src = ending(src)
		}
		all = errors.Join(all, err)
		lists = append(lists, newestFirst(name, items(src)))
	}
	return injectionText(lists), all
}

// ending returns the last lines of a list, more than an injection has room for.
func ending(src []byte) []byte {
	const enough = 32 << 10
	if len(src) > enough {
		_, src, _ = bytes.Cut(src[len(src)-enough:], []byte("\n"))
	}
	return src
}

// injectionText joins three lists, the most important items first, taking from each in turn
// until the injection is full.
func injectionText(lists [][]string) string {
	titles := []string{contextFile + ":\n", decisionsFile + ":\n", findingsFile + ":\n"}
	left := maxInjectionBytes - len(heading)
	chosen := make([]string, len(lists))
	for turn, more := 0, true; more; turn++ {
		more = false
		for i, list := range lists {
			if turn >= len(list) {
				continue
			}
			more = true
			line := "- " + list[turn] + "\n"
			need := len(line)
			if chosen[i] == "" {
				need += len(titles[i])
			}
			if need > left {
				continue // a shorter one may follow
			}
			left -= need
			chosen[i] += line
		}
	}
	var out strings.Builder
	for i, lines := range chosen {
		if lines != "" {
			out.WriteString(titles[i] + lines)
		}
	}
	if out.Len() == 0 {
		return ""
	}
	return heading + out.String()
}

// maxItems limits the items of a note; an injection has no room for more.
const maxItems = 60

// newestFirst returns the items of a note, each on an inert line, the last one first. Undated
// items of context.md come first, in their order: a goal precedes what follows from it.
func newestFirst(name string, all []item) (lines []string) {
	undated := func(i item) bool { return name == contextFile && !isDated(i.text) }
	for _, i := range all {
		if undated(i) && len(lines) < maxItems {
			lines = append(lines, i.String())
		}
	}
	for _, i := range slices.Backward(all) {
		if !undated(i) && len(lines) < maxItems {
			lines = append(lines, i.String())
		}
	}
	return lines
}
