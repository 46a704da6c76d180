package when

import (
	"io/fs"

	"whence/internal/config"
	"whence/internal/corpus"
)

// maxLeads is the number of entries that Finder.Leads returns at most. An entry behind ten others is
// not found.
const maxLeads = 10

// Finder finds the entries that a text leads to. It is built once for many texts, and safe for use
// by several goroutines.
type Finder struct{ *Library }

// NewFinder reads a memory and indexes its entries as recall does.
func NewFinder(tree fs.FS, c config.Config) (*Finder, error) {
	l, err := Open(tree, c)
	if err != nil {
		return nil, err
	}
	return l.finder()
}

// FinderOf indexes the entries of a memory that has been read, and perhaps edited since.
func FinderOf(m *corpus.Corpus) (*Finder, error) {
	l := newLibrary(m.Tree, corpus.Layout{Index: m.IndexPath})
	for _, f := range m.Decisions {
		l.paths = append(l.paths, f.Path)
		l.files[f.Path] = f
		if section := f.Section(); section != f.Path {
			l.folders[section] = append(l.folders[section], f.Path)
		}
	}
	l.readIndex(m.Index)
	return l.finder()
}

func (l *Library) finder() (*Finder, error) {
	if err := l.prepareRecall(); err != nil {
		return nil, err
	}
	return &Finder{l}, nil
}

// Entries returns the entries that lead to a heading, in the order of the index.
func (f *Finder) Entries() []Lead { return f.leads }

// Leads returns the entries that a text leads to, the best first: the order of recall, however
// probable they are.
func (f *Finder) Leads(query string) []Lead {
	var leads []Lead
	for _, m := range f.index.Recall(query, maxLeads) {
		leads = append(leads, f.leads[m.Document])
	}
	return leads
}
