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

// maxPaths is how many names of files in an item are looked at.
const maxPaths = 20

// Origin tells where an item comes from, and what is doubtful about it.
func (r *Request) Origin(i Item) string { return i.Source + r.missingPath(i) }

// missingPath tells that an item of this repository names a file that is not there: what it
// says may be out of date.
func (r *Request) missingPath(i Item) string {
	if !i.InRepository || !strings.Contains(i.Text+i.Title, "/") {
		return ""
	}
	for _, found := range pathsIn().FindAllStringSubmatch(i.Title+"\n"+i.Text, maxPaths) {
		name := path.Clean(found[1])
		first, _, _ := strings.Cut(name, "/")
		if host := strings.Contains(strings.TrimPrefix(first, "."), "."); host || !fs.ValidPath(name) {
			continue
		}
		places := []string{name, path.Join(i.Dir, name), r.FromRoot(filepath.FromSlash(name))}
		if !slices.ContainsFunc(places, r.mayExist) {
			return ", unverified: " + name + " is missing here"
		}
	}
	return ""
}

// mayExist tells whether a name of the repository may be that of a file.
func (r *Request) mayExist(name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	_, err := fs.Stat(r.Tree.FS(), name)
	return !errors.Is(err, fs.ErrNotExist)
}
