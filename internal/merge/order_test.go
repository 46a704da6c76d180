package merge

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ordered merges lists of letters; a letter of one side alone has its side behind it.
func ordered(base, ours, theirs string) string {
	ids := func(text string) (all []int) {
		for _, r := range text {
			all = append(all, int(r))
		}
		return all
	}
	var out strings.Builder
	for _, p := range order(ids(base), ids(ours), ids(theirs), func(int) int { return 1 }, nil) {
		out.WriteString(string(rune(p.id)) + []string{"", "<", ">"}[p.side])
	}
	return out.String()
}

func TestOrder(t *testing.T) {
	for name, c := range map[string][4]string{
		"nothing":                     {"abc", "abc", "abc", "abc"},
		"ours first":                  {"ab", "axyb", "apqb", "axypqb"},
		"at both ends":                {"ab", "xaby", "pabq", "xpabyq"},
		"the same, and more":          {"ab", "axyb", "axpyb", "axpyb"},
		"one moves":                   {"abcd", "bcda", "abcd", "bcda"},
		"both move":                   {"abcd", "bacd", "abdc", "badc"},
		"both move the same":          {"abcd", "bcda", "bcda", "bcda"},
		"both move, to two places":    {"abcdef", "bcdaef", "bcdefa", "bcda<efa>"},
		"behind what the other moves": {"abcd", "bcda", "axbcd", "xbcda"},
		"a run is moved":              {"abcdef", "efabcd", "abcdexf", "exfabcd"},
		"behind one that moves":       {"abcd", "acdb", "abdc", "adbc"},
		"without a base":              {"", "axb", "ayb", "axyb"},
		"in two orders without base":  {"", "ab", "ba", "ab"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c[3], ordered(c[0], c[1], c[2])) })
	}
}

// Each item comes once, or once for each side; a side that moved nothing leaves the other as it is.
func TestOrderHasAll(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	shuffle := func(list []int) []int {
		list = slices.Clone(list)
		for range random.IntN(4) {
			at, to := random.IntN(len(list)), random.IntN(len(list))
			id := list[at]
			list = slices.Insert(slices.Delete(list, at, at+1), to, id)
		}
		return list
	}
	weight := func(id int) int { return 1 + id%3 }
	for range 4000 {
		base := make([]int, 1+random.IntN(9))
		for i := range base {
			base[i] = i + 1
		}
		ours, theirs := shuffle(base), shuffle(base)
		for n := range random.IntN(4) {
			ours = slices.Insert(ours, random.IntN(len(ours)+1), 100+n)
			theirs = slices.Insert(theirs, random.IntN(len(theirs)+1), 102+n)
		}
		merged := order(base, ours, theirs, weight, nil)
		seen := map[int][3]int{}
		for _, p := range merged {
			counts := seen[p.id]
			counts[p.side]++
			seen[p.id] = counts
		}
		for _, id := range slices.Concat(ours, theirs) {
			require.Contains(t, [][3]int{{1, 0, 0}, {0, 1, 1}}, seen[id], "%d of %v %v %v: %v", id, base, ours, theirs, merged)
		}
		for _, c := range [][2][]int{{base, theirs}, {theirs, base}, {theirs, theirs}} {
			var got []int
			for _, p := range order(base, c[0], c[1], weight, nil) {
				require.Equal(t, both, p.side)
				got = append(got, p.id)
			}
			require.Equal(t, theirs, got, "%v %v", base, c)
		}
	}
}
