package validate

import (
	"bytes"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"whence/internal/decision"
	"whence/internal/finding"
)

// pathSpan is back-quoted text that names a file or folder: at least one slash,
// none in front, no blanks, wildcards or placeholders. A line number may follow.
var pathSpan = lazy(`^((?:\.{1,2}/)*[A-Za-z0-9_.@+-]+(?:/[A-Za-z0-9_.@+-]+)*/?)(?::[0-9]+(?:[-:][0-9]+)?)?$`)

// fileName is the last element of a path that is meant as a file.
var fileName = lazy(`^.*\.[A-Za-z][A-Za-z0-9]{0,9}$`)

// stalePath reports back-quoted paths that lead neither from the root of the
// repository nor from the decision file to anything.
func stalePath(k *check) []finding.Finding {
	var found []finding.Finding
	for _, file := range k.Decisions {
		for _, span := range file.CodeSpans() {
			name, ok := k.namesPath(span.Text)
			if !ok || !strings.HasPrefix(name, "..") && k.exists(name) || k.exists(path.Join(path.Dir(file.Path), name)) {
				continue
			}
			f := inFile(file, span.Line, "path %q does not exist: write where the file is, or remove the back-quotes", name)
			f.Column = columnAt(file, span)
			found = append(found, f)
		}
	}
	return found
}

// namesPath reads a span as a path. To be one it must end like a file or a
// folder, or begin with a folder that exists: "origin/main" is none.
func (k *check) namesPath(text string) (name string, ok bool) {
	match := pathSpan().FindStringSubmatch(text)
	if match == nil || !strings.Contains(match[1], "/") {
		return "", false
	}
	name = match[1]
	first, _, _ := strings.Cut(name, "/")
	if strings.Contains(strings.TrimLeft(first, "."), ".") { // a host, as in example.org/x
		return "", false
	}
	return name, strings.HasSuffix(name, "/") || fileName().MatchString(path.Base(name)) || k.exists(first)
}

// exists tells whether the tree holds a path. One that leads out of the tree is
// taken to exist: there is no looking there.
func (k *check) exists(name string) bool {
	name = path.Clean(name)
	if !fs.ValidPath(name) {
		return true
	}
	_, err := fs.Stat(k.Tree, name)
	return err == nil
}

func columnAt(file *decision.File, span decision.CodeSpan) int {
	before := file.Source[:span.Start]
	return utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
}
