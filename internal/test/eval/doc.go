// Package eval measures how good recall and search are, and what agents
// are shown, on real memories, and keeps the figures: each evaluation is in a test file of
// this package, and figures.tsv is what was measured last.
//
//	make eval          runs all evaluations, and prints one table: what came out, what is
//	                   recorded, the aim, and what a baseline brings on the same questions
//	make eval-record   the same, and writes figures.tsv
//
// It fails where a figure is worse than the recorded one by more than noise, or no longer
// reaches its aim. A change of a ranking records the figures with it, so that the review
// shows what the change is worth.
//
// The baseline is what one would have without this program: SQLite's FTS5 with its stemmer,
// any of the words of the question, BM25 as it comes, the same texts in one column. It never
// abstains.
//
// The real memories lie in $WHENCE_SHARED and are not part of the repository; tests
// that need them are skipped without. The package is imported by tests only.
package eval
