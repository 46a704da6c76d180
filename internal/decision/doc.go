// Package decision reads decision files: the Markdown files below
// agents/decisions whose sections hold the text that the memory index leads to.
//
// A file is CommonMark: a "## x" in a code fence, an HTML comment, a list item or
// a block quote is not a heading. Front matter and a
// byte-order mark are skipped. The words are:
//
//	# Testing                      title of the file
//	Text here is the intro: it needs no entry, nor does an H3 up to the first H2.
//	## .Mocks                      structural heading: groups, holds nothing
//	### Mock patching pattern      semantic heading: exactly one entry leads here
//	<!-- situations:
//	the mock is ignored and the real client is called
//	-->
//
// A section reaches from its heading to the next one of the same or a higher
// level. The comment holds situations: one phrase a line of what a developer
// types, does or sees when the decision applies.
//
// Markdown reads any other Markdown as well: paragraphs, titles and code, each with the
// list that holds it, and what is back-quoted in them.
//
// The package is pure: bytes in, values out. All positions are byte offsets into
// the source, and 1-based line numbers; nothing is ever printed back, so whatever
// a fix does not name stays as it is.
package decision
