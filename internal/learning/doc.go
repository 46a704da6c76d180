// Package learning knows what a learning is: something that was found out while
// working, and that is to be known the next time. It is pure: texts and values in,
// texts and values out. Storing and finding them is the business of others.
//
// What happens to a learning, in the order of its life:
//
//	Clean            its text is trimmed, and what is no text is dropped
//	InferCategory    anti-patterns, patterns or heuristics, by how it is worded
//	InferName        a title of at most 60 characters
//	InferReasoning   why: its own because-clause, if it has one
//	Keywords         the words to find it by
//	Validate         what is missing or wrong, in one line
//	ID, Similar      whether it is known already, or denies what is known
//	Reinforce        it was observed again: does that make it surer?
//	Decay            it was of no use for long: how sure is it still?
//	Prominence       how much it matters, whatever is asked
//	Rank, Select     which of many are shown, within a budget
//	Render           the text that an agent gets, in which no entry can pose as another
//	ParseBank, FormatBank  many of them, as Markdown
//
// Nothing here asks a model or the network. All rules are rules of words, of English;
// text in other languages is kept as it is and gets the defaults.
//
// Guarantees, all tested on random input: no function loses visible text of a
// description; two texts that differ in a negation, an opposite, a number or an
// identifier are never one learning; a selection stays within its budget; rendered
// text opens no heading, no fence and no tag.
package learning
