// Package learning defines a learning: something found out while working that helps the
// next time. It is pure; storing and searching learnings is the job of package store.
//
// The life of a learning:
//
//	InferCategory    anti-patterns, patterns or heuristics, by a table of words
//	InferName        the beginning of the text, at most 60 characters
//	Keywords         the words to find it by
//	Validate         what is missing or wrong
//	ID, Folded       is it equal to another one?
//	Reinforce        its confidence after another observation
//	Decay            its confidence after a time without use
//	Rank, Select     which of many are shown, within a budget
//	Render           the text for an agent, in which no learning can pose as another
//	RenderFound      the same for the results of a search
//	ParseBank        the learnings in a Markdown file
//
// Guarantees, all tested on random input: no function loses visible text of a
// description; a selection stays within its budget; rendered text opens no heading,
// no fence and no tag.
package learning
