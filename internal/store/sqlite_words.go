package store

// weightedWords are the distinct words of a Match, those of Find first, and those of Question that do not
// rank rows last.
type weightedWords struct {
	stems  []string
	newest [][]int64 // as in [Holders]
	rarity []float64 // 0: does not rank
	at     map[string]int
	sizes  [256]uint64 // by first byte of a stem, bit by its length: excludes most words of a text
}

func (ws *weightedWords) add(w Word) {
	if _, known := ws.at[w.Stem]; known {
		return
	}
	ws.at[w.Stem] = len(ws.stems)
	ws.stems, ws.newest, ws.rarity = append(ws.stems, w.Stem), append(ws.newest, w.Newest), append(ws.rarity, 0)
	ws.sizes[w.Stem[0]] |= 1 << min(len(w.Stem), 63)
}

// count adds a weight to the frequency of each of these words, by number, whenever a text has it. It returns
// the number of all words of the text, which spaces separate.
func (ws *weightedWords) count(text string, weight float64, frequency []float64) (all int) {
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && text[end] != ' ' {
			end++
		}
		if end > start {
			all++
			if ws.sizes[text[start]]&(1<<min(end-start, 63)) != 0 {
				if i, found := ws.at[text[start:end]]; found {
					frequency[i] += weight
				}
			}
		}
		start = end + 1
	}
	return all
}

// ruleOut returns the rows that may be answers. Oldest has the oldest row that is listed for each word: older
// ones may hold it, too.
func (ws *weightedWords) ruleOut(all []estimatedRow, possible func(missing []string) bool, oldest []int64) []Row {
	mayAnswer := ws.mayAnswer(possible)
	rows := make([]Row, 0, len(all))
	for _, row := range all {
		if possible != nil {
			for i, seq := range oldest {
				if row.Seq < seq {
					row.words |= 1 << i
				}
			}
		}
		if mayAnswer(row.words) {
			rows = append(rows, row.Row)
		}
	}
	return rows
}

// mayAnswer returns a function that reports whether a row with some words, bit by number, may be an
// answer.
func (ws *weightedWords) mayAnswer(possible func(missing []string) bool) func(words uint64) bool {
	if possible == nil {
		return func(uint64) bool { return true }
	}
	known := map[uint64]bool{}
	return func(words uint64) bool {
		is, judged := known[words]
		if !judged {
			var missing []string
			for i, stem := range ws.stems {
				if words&(1<<i) == 0 {
					missing = append(missing, stem)
				}
			}
			is = possible(missing)
			known[words] = is
		}
		return is
	}
}
