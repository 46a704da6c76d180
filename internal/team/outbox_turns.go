package team

import (
	"encoding/json"
	"fmt"
	"time"

	"whence/internal/spool"
	"whence/internal/store"
)

// maxPieceBytes is the size of an operation that holds more than one item: far less than a job may
// have, so that a server is soon done with it.
const maxPieceBytes = spool.MaxJobBytes / 4

// EnqueueTurns puts what was read from a transcript into the outbox: without the state of reading, and
// of turns that are not kept only the UUIDs. Duplicates count once. A nil replica does nothing.
func (p *Replica) EnqueueTurns(c store.Captured) error {
	if p == nil {
		return nil
	}
	c.Transcript, c.Before, c.After = "", nil, nil
	turns, answer := c.Turns, c.Answer
	if c.Never {
		turns, answer = withoutText(turns), nil
	}
	pieces, err := Pieces(turns)
	if err != nil {
		return err
	}
	if len(pieces) == 0 && answer != nil {
		pieces = append(pieces, nil)
	}
	for i, piece := range pieces {
		c.Turns, c.Answer = piece, nil
		if i == len(pieces)-1 {
			c.Answer = answer
		}
		if err := p.Enqueue(store.Operation{Kind: store.OpTurns, At: time.Now().UTC(), Session: c.Session, Turns: &c}); err != nil {
			return err
		}
	}
	return nil
}

// withoutText returns turns without their texts.
func withoutText(turns []store.Turn) (all []store.Turn) {
	for _, t := range turns {
		if t.UUID != "" {
			all = append(all, store.Turn{Session: t.Session, UUID: t.UUID, Rank: t.Rank})
		}
	}
	return all
}

// Pieces divides items into operations.
func Pieces[T any](items []T) (all [][]T, err error) {
	size := 0
	for i, item := range items {
		src, err := json.Marshal(item)
		if err != nil {
			return nil, fmt.Errorf("divide an operation: %w", err)
		}
		if i == 0 || size+len(src) > maxPieceBytes {
			all, size = append(all, nil), 0
		}
		last := len(all) - 1
		all[last], size = append(all[last], item), size+len(src)
	}
	return all, nil
}
