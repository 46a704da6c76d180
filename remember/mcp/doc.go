// Package mcp serves learnings and decisions to agents by the Model Context Protocol, on
// standard input and output.
//
// Tools:
//
//	store_memory   store a learning, as far as the user's settings allow it
//	search_memory  find learnings by a question, an error message, a command
//	when           the text of decisions, by the triggers of the memory index
//	forget_memory  delete a learning
//
// All checks, limits and words are those of the command line (remember). What was
// captured silently, or turned down, is counted by the store for the session of the
// agent: a second server, or one that was started again, counts on.
package mcp
