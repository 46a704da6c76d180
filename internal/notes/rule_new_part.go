package notes

import (
	"io/fs"
	"path"
	"slices"
)

// sources are the extensions of source files.
var sources = []string{
	".go", ".py", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".rs", ".java", ".kt", ".scala", ".c", ".cc", ".cpp", ".h", ".hpp",
	".cs", ".fs", ".rb", ".php", ".swift", ".ex", ".exs", ".erl", ".hs", ".ml", ".clj", ".dart", ".lua", ".zig", ".vue", ".svelte",
}

// newPart applies to the first source file of a folder: a package, a module.
func newPart(v *eventRun, c fileChange) (details []string, applies bool) {
	folder := path.Dir(c.path)
	if !c.Created || folder == "." || !slices.Contains(sources, path.Ext(c.path)) {
		return nil, false
	}
	entries, err := fs.ReadDir(v.folder.tree.FS(), folder)
	hasOther := slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() != path.Base(c.path) && slices.Contains(sources, path.Ext(e.Name()))
	})
	return nil, err == nil && !hasOther
}
