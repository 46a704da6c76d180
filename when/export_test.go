package when

import (
	"whence/internal/dispatch"
	"whence/internal/files"
	"whence/internal/rank"
)

// FromCache is Find on the cache alone.
func FromCache(r *dispatch.Request, text string, l dispatch.Limits) ([]dispatch.Item, error) {
	c, err := cacheOf(r)
	if err != nil {
		return nil, err
	}
	found, err := c.recall(r.Tree.FS(), text, l)
	return items(found, text, l), err
}

// FromLibrary returns what FromCache should find, by an index that is made now.
func FromLibrary(l *Library, text string, limits dispatch.Limits) ([]dispatch.Item, error) {
	found, err := l.Recall(text, limits.Items)
	return items(found, text, limits), err
}

// OpenCached is Open for the command recall.
func OpenCached(r *dispatch.Request) (*Library, error) {
	l, err := Open(r.Tree.FS(), r.Config)
	if err == nil {
		l.cache = func() (cache, error) { return cacheOf(r) }
	}
	return l, err
}

// CacheFile returns the path of the cache.
func CacheFile(r *dispatch.Request) (string, error) {
	c, err := cacheOf(r)
	return c.name, err
}

// WriteCache caches an index of any documents.
func WriteCache(r *dispatch.Request, documents []rank.Document) error {
	c, err := cacheOf(r)
	if err != nil {
		return err
	}
	return c.write(rank.NewIndex(documents))
}

// WriteTooLarge caches that the index is too large.
func WriteTooLarge(r *dispatch.Request) error {
	c, err := cacheOf(r)
	if err != nil {
		return err
	}
	return files.WritePrivate(c.name, c.key[:])
}

// CacheRepository is the command cache.
var CacheRepository = cacheRepository

// MaxPatientSections exports maxPatientSections.
const MaxPatientSections = maxPatientSections

// Documents returns the documents that are indexed.
func Documents(l *Library) ([]rank.Document, error) {
	documents, _, err := l.documents()
	return documents, err
}

// LeadsTo returns the trigger that a query leads to, or "". It is Resolve without reading a
// decision.
func LeadsTo(l *Library, query string) string {
	q, err := ParseQuery(query)
	if err != nil {
		return ""
	}
	if i := l.find(q); i >= 0 {
		return l.entries[i].Trigger.Text
	}
	return ""
}

// HasWord exports hasWord.
func HasWord(text, word string) bool { return hasWord(text, word) }
