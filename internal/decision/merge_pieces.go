package decision

import "whence/internal/merge"

// Pieces returns the headings of a decision file, for a merge.
func Pieces(src []byte) (pieces []merge.Piece) {
	for _, h := range Parse("", src).Headings {
		pieces = append(pieces, merge.Piece{Span: merge.Span{Start: h.Start, End: h.Body}, Level: h.Level, Key: h.Key, Title: h.Key})
	}
	return pieces
}
