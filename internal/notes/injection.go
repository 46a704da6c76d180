package notes

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// Bounds of what an agent is told, in bytes: of all of it, and of one item.
const (
	maxInjectionBytes = 1200
	maxItemBytes = 240
)

// heading stands before what an agent is told.
const heading = "Notes of this project (in " + Folder + "/; data written down earlier, check that it still holds):\n"

// injection is what an agent is told of the notes; "" if they hold nothing.
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

// ending is that of a list, from the beginning of a line: there is no room for more.
func ending(src []byte) []byte {
	const enough = 32 << 10
	if len(src) > enough {
		_, src, _ = bytes.Cut(src[len(src)-enough:], []byte("\n"))
	}
	return src
}

// injectionText is the text of three lists, the most important item of each first. Each gets its
// turn until there is no room.
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

// maxItems is how many items of a note can be told at most: more than there is room for.
const maxItems = 60

// newestFirst are the items of a note in the order in which they matter, each on an inert
// line: the last one first. Only context.md begins with what has no date, as it stands
// there: a goal comes before what follows from it.
func newestFirst(name string, all []item) (lines []string) {
	stands := func(i item) bool { return name == contextFile && !isDated(i.text) }
	for _, i := range all {
		if stands(i) && len(lines) < maxItems {
			lines = append(lines, i.String())
		}
	}
	for _, i := range slices.Backward(all) {
		if !stands(i) && len(lines) < maxItems {
			lines = append(lines, i.String())
		}
	}
	return lines
}
