package turns

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// Fold is a key that turns of one session share which say the same. Case and blanks do not
// count. Of what tools say, numbers do not count either: the same failure comes with
// another line, time or process. In what people and agents say they do: "step 3" is not
// "step 4".
func Fold(t Turn) string {
	text := strings.ToLower(oneLine(t.Text))
	if t.Role == Tool {
		text = withoutNumbers(text)
	}
	sum := sha256.Sum256([]byte(string(t.Kind) + "\x00" + text))
	return hex.EncodeToString(sum[:8])
}

// withoutNumbers has one 0 for each row of digits.
func withoutNumbers(text string) string {
	var out strings.Builder
	was := false
	for _, r := range text {
		is := unicode.IsDigit(r)
		if is && !was {
			out.WriteByte('0')
		}
		if !is {
			out.WriteRune(r)
		}
		was = is
	}
	return out.String()
}
