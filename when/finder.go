package when

import (
	"io/fs"

	"whence/internal/config"
	"whence/internal/rank"
)

// maxLeads is the number of entries that Finder.Leads returns at most. An entry behind ten others is
// not found.
const maxLeads = 10

// Finder finds the entries that a text leads to. It is built once for many texts, and safe for use
// by several goroutines.
type Finder struct{ index *rank.Index }

// NewFinder reads a memory and indexes its entries as recall does.
func NewFinder(tree fs.FS, c config.Config) (*Finder, error) {
	l, err := Open(tree, c)
	if err != nil {
		return nil, err
	}
	if err := l.prepareRecall(); err != nil {
		return nil, err
	}
	return &Finder{l.index}, nil
}

// Leads returns the entries that a text leads to, the best first: the order of recall, however
// probable they are.
func (f *Finder) Leads(query string) []Lead {
	matches, err := f.index.Recall(query, maxLeads)
	if err != nil { // the index was not read from a file
		panic(err)
	}
	leads := make([]Lead, len(matches))
	for i, m := range matches {
		leads[i], _ = parseLead(f.index.Label(m.Document)) // made by Lead.label
	}
	return leads
}
