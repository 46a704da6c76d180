package validate

import (
	"io/fs"
	"path"
	"strings"

	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/text"
)

// pathSpan matches back-quoted text that names a file or folder: no leading slash, spaces,
// wildcards or placeholders. A line number may follow.
var pathSpan = text.Lazy(`^((?:\.{1,2}/)*[A-Za-z0-9_.@+-]+(?:/[A-Za-z0-9_.@+-]+)*/?)(?::[0-9]+(?:[-:][0-9]+)?)?$`)

// fileName matches the last element of a path to a file.
var fileName = text.Lazy(`^.*\.[A-Za-z][A-Za-z0-9]{0,9}$`)

// stalePath reports back-quoted paths that exist relative to neither the root of the
// repository nor the decision file.
func stalePath(k *check, report func(finding.Finding)) {
	for _, file := range k.Decisions {
		for _, span := range file.CodeSpans() {
			name, ok := k.namesPath(span.Text)
			if !ok || !strings.HasPrefix(name, "..") && k.exists(name) || k.exists(path.Join(path.Dir(file.Path), name)) {
				continue
			}
			report(inFile(file, span.Line, "path %q does not exist: write where the file is, or remove the backquotes", name))
		}
	}
}

// namesPath reads a span as a path: it must end like a file or a folder, or begin with a
// folder that exists, unlike "origin/main".
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

// exists reports whether the tree has a path. A path out of the tree counts as existing,
// since it is not looked up.
func (k *check) exists(name string) bool {
	name = path.Clean(name)
	if !fs.ValidPath(name) {
		return true
	}
	if whole, is := k.Tree.(*corpus.Memory); is {
		return whole.Exists(name)
	}
	_, err := fs.Stat(k.Tree, name)
	return err == nil
}
