package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/parallel"
)

// A panic in another goroutine would end the program, whatever the caller recovers.
func TestAParserPanicsInTheCaller(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "{\"n\":%d}\n", i)
	}
	for _, carries := range []bool{false, true} {
		f := format{func(line []byte, _ *carried) ([]Record, bool) {
			if strings.Contains(string(line), "700") {
				panic("torn off")
			}
			return []Record{{UUID: string(line)}}, true
		}, carries}
		taken := 0
		func() {
			defer func() {
				p, ok := recover().(*parallel.Panic)
				require.True(t, ok)
				require.Equal(t, "torn off", p.Value)
			}()
			for range f.parseAhead(newLines(strings.NewReader(text.String()), 0, int64(text.Len())), carried{}) {
				taken++
			}
		}()
		require.Equal(t, 700/batchLines*batchLines, taken, "the batches before it are taken")
	}
}
