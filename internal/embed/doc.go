// Package embed turns texts into vectors, if the user has set up a server for it.
//
// The server speaks the embeddings protocol of OpenAI, as Ollama, LM Studio and vLLM
// do, too: POST {base}/embeddings with {"model", "input"}. Without a base URL there is
// none, and nothing is ever sent. The key comes from the environment variable
// WHENCE_EMBEDDING_KEY alone, so that it cannot end up in a repository.
//
// Guarantees: vectors are of length 1 and as many as texts, all of the same number of
// dimensions, or there is an error. The key goes only to the host of the base URL, never
// in the clear but on this machine, and is in no error.
//
// Vectors are a second opinion beside the words: Fuse brings two rankings together.
// A caller goes on without them on any error.
package embed
