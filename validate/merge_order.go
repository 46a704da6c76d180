package validate

import (
	"bytes"
	"errors"
	"io/fs"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/merge"
	"whence/internal/repo"
)

// If both sides add a decision between the same two, only the merged decision file has the order of
// their entries. Git passes one file at a time to a driver, so the decision files are merged here
// too, provided it is certain which commits git merges.

// OrderEntries makes the fix of entry-order in a merged index for these decision files. It moves
// lines within their section only. An index with conflicts is returned unchanged.
func OrderEntries(merged []byte, decisions []*decision.File) []byte {
	parsed := index.Parse(merged)
	if parsed.Conflicts != nil {
		return merged
	}
	work := withLineEnd(&corpus.Corpus{Index: parsed, Decisions: decisions})
	r := round{before: work, after: work}
	if err := r.make(byFix(newCheck(&work, config.Config{}).run("entry-order", entryOrder)), refusals{}); err != nil || len(r.fixed) == 0 {
		return merged
	}
	return parsed.TrimLineEnd(r.after.Index.Source)
}

// mergedDecisions merges the decision files that both sides changed, and returns those without
// conflicts. It returns none after an error, or if the versions of the index are not those of the
// commits that git seems to merge.
func mergedDecisions(env cli.Env, root string, c config.Config, indexes [3][]byte) (merged []*decision.File) {
	r, err := repo.Open(root, env.Dir, env.Getenv)
	if err != nil {
		return nil
	}
	below, err := r.Rel(root)
	if err != nil {
		return nil
	}
	base, ours, theirs, err := r.BothChanged()
	if err != nil {
		return nil
	}
	var sides [3]fs.FS
	for i, tree := range []*repo.Tree{base, ours, theirs} {
		if sides[i], err = fs.Sub(tree, below); err != nil {
			return nil
		}
		src, err := readVersion(sides[i], c.Index)
		if err != nil && !errors.Is(err, fs.ErrNotExist) || !bytes.Equal(src, indexes[i]) {
			return nil
		}
	}
	paths, err := corpus.Paths(sides[1], c.Layout())
	if err != nil {
		return nil
	}
	for _, path := range paths {
		var texts [3][]byte
		for i, side := range sides {
			if texts[i], err = readVersion(side, path); err != nil && !(i == 0 && errors.Is(err, fs.ErrNotExist)) {
				return nil
			}
		}
		text, conflicts := decision.Merge(texts[0], texts[1], texts[2], merge.MarkerSize)
		if file, err := c.Layout().Parse(path, text); err == nil && conflicts == 0 {
			merged = append(merged, file)
		}
	}
	return merged
}
