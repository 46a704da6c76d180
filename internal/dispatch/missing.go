package dispatch

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// pathsIn matches the names of files in a text, as paths with a folder and an extension.
var pathsIn = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?:^|[\\s\"'`(\\[])((?:[\\w.@-]+/)+[\\w.@-]*\\.[A-Za-z]\\w{0,5})\\b")
})

// mostPaths is how many names of files in an item are looked at.
const mostPaths = 20

// Origin tells where an item comes from, and what is doubtful about it.
func (m *Moment) Origin(i Item) string { return i.Place + m.missing(i) }

// missing tells that an item of this repository names a file that is not there: what it
// says may be out of date.
func (m *Moment) missing(i Item) string {
	if !i.Here || !strings.Contains(i.Text+i.Title, "/") {
		return ""
	}
	for _, found := range pathsIn().FindAllStringSubmatch(i.Title+"\n"+i.Text, mostPaths) {
		name := path.Clean(found[1])
		first, _, _ := strings.Cut(name, "/")
		if host := strings.Contains(strings.TrimPrefix(first, "."), "."); host || !fs.ValidPath(name) {
			continue
		}
		places := []string{name, path.Join(i.Dir, name), m.FromRoot(filepath.FromSlash(name))}
		if !slices.ContainsFunc(places, m.mayBe) {
			return ", unverified: " + name + " is missing here"
		}
	}
	return ""
}

// mayBe tells whether a name of the repository may be that of a file.
func (m *Moment) mayBe(name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	_, err := fs.Stat(m.Tree.FS(), name)
	return !errors.Is(err, fs.ErrNotExist)
}
