package team

import (
	"encoding/json"
	"fmt"
	"time"

	"whence/internal/spool"
	"whence/internal/store"
)

// maxPieceBytes is how long an operation is at most, unless one learning or turn is longer: far
// shorter than a job may be, so that a server has done one soon.
const maxPieceBytes = spool.LongestJob / 4

// EnqueueTurns puts what was read from a transcript into the outbox: not how far that was, and
// of turns that are not kept nothing but that they are known. What comes twice counts once.
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

// withoutText are turns without what was said.
func withoutText(turns []store.Turn) (all []store.Turn) {
	for _, t := range turns {
		if t.UUID != "" {
			all = append(all, store.Turn{Session: t.Session, UUID: t.UUID, Rank: t.Rank})
		}
	}
	return all
}

// Pieces divides items so that each piece fits into an operation.
func Pieces[T any](items []T) (all [][]T, err error) {
	size := 0
	for i, item := range items {
		src, err := json.Marshal(item)
		if err != nil {
			return nil, fmt.Errorf("divide what is to be delivered: %w", err)
		}
		if i == 0 || size+len(src) > maxPieceBytes {
			all, size = append(all, nil), 0
		}
		last := len(all) - 1
		all[last], size = append(all[last], item), size+len(src)
	}
	return all, nil
}
