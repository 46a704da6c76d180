package dispatch

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/text"
)

// Kind is the kind of an item.
type Kind int

// The kinds of items, in the order in which they are shown.
const (
	Decision Kind = iota
	PastSession
	Learning
)

// Item is a decision, past session or learning that applies. The text of a past session is the line that names it.
type Item struct {
	Kind         Kind
	Key          string  // identifies it in a session and in the log
	Query        string  // of a decision: prints it, as in "/when computing tax"
	P            float64 // probability that it applies
	Source       string  // where it is from, and its age
	Title        string
	Text         string
	Words        []string // that matched
	InRepository bool     // it belongs to this repository
	Named        bool     // the text names it
	Dir          string   // the folder of its file, which its paths may be relative to; "": the root
}

// pathsIn matches file names in a text: paths with a folder and an extension.
var pathsIn = text.Lazy("(?:^|[\\s\"'`(\\[])((?:[\\w.@-]+/)+[\\w.@-]*\\.[A-Za-z]\\w{0,5})\\b")

// maxPaths bounds the file names that are checked in an item.
const maxPaths = 20

// Origin returns the source of an item, and a note if a file that it names is missing.
func (r *Request) Origin(i Item) string { return i.Source + r.missingPath(i) }

// missingPath returns a note if an item of this repository names a file that does not exist: it may
// be out of date.
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

// mayExist reports whether a file of the repository exists, or cannot be checked.
func (r *Request) mayExist(name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	_, err := fs.Stat(r.Tree.FS(), name)
	return !errors.Is(err, fs.ErrNotExist)
}
