package rank

// Terms are the words of a text that carry evidence, in its order, lower case, each as
// often as it stands there. Small words are left out. The parts of an identifier follow
// it: retryCount gives retrycount, retry, count.
func Terms(text string) []string {
	var terms []string
	eachWord(text, func(word []byte) {
		if !smallWords.has(word) {
			terms = append(terms, string(word))
		}
	})
	return terms
}
