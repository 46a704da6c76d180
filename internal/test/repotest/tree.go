package repotest

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// MarkdownTree reads the Markdown files below a folder. There must be some.
func MarkdownTree(t testing.TB, dir string) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".md" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		tree[filepath.ToSlash(rel)] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil || len(tree) == 0 {
		t.Fatalf("read the Markdown files below %s: %v, %d found", dir, err, len(tree))
	}
	return tree
}

// Tree is a tree of the given texts, by name.
func Tree(files map[string]string) fstest.MapFS {
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return tree
}
