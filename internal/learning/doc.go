// Package learning defines a learning: something found out while working that helps the
// next time. It is pure; storing and searching learnings is the job of package store.
//
// The life of a learning:
//
//	InferCategory    anti-patterns, patterns or heuristics, by how it is worded
//	InferName        a title of at most 60 characters
//	InferReasoning   why: its own because-clause, if it has one
//	Keywords         the words to find it by
//	Validate         what is missing or wrong
//	ID, Similar      does it repeat or contradict another one?
//	Reinforce        its confidence after another observation
//	Decay            its confidence after a time without use
//	Prominence       how much it matters, whatever the query
//	Rank, Select     which of many are shown, within a budget
//	Render           the text for an agent, in which no learning can pose as another
//	ParseBank, FormatBank  many of them, as Markdown
//
// All rules are about English words; text in other languages is kept and gets the defaults.
//
// Guarantees, all tested on random input: no function loses visible text of a
// description; two texts that differ in a negation, an opposite, a number or an
// identifier are never one learning; a selection stays within its budget; rendered
// text opens no heading, no fence and no tag.
package learning
