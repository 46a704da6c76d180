package when

import (
	"context"
	"time"

	"whence/internal/hook"
	"whence/internal/rank"
)

// FromCache is Find by the index alone.
func FromCache(m *hook.Moment, text string, l hook.Limits) ([]hook.Item, error) {
	c, err := cacheOf(m)
	if err != nil {
		return nil, err
	}
	found, err := c.recall(m.Tree.FS(), text, l)
	return items(found, l), err
}

// CacheFile is the file of the index.
func CacheFile(m *hook.Moment) (string, error) {
	c, err := cacheOf(m)
	return c.name, err
}

// LeaveCache writes an index of any documents.
func LeaveCache(m *hook.Moment, documents []rank.Document) error {
	c, err := cacheOf(m)
	if err != nil {
		return err
	}
	return c.leave(context.Background(), documents, time.Millisecond)
}

// Documents are what an index is made of.
func Documents(l *Library) ([]rank.Document, error) {
	documents, _, err := l.documents()
	return documents, err
}
