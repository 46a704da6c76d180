package spool

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzName: a parsed name is formatted as the same name, so that the job is found.
func FuzzName(f *testing.F) {
	f.Add(name{}.String())
	f.Add(name{at: math.MaxInt64, session: math.MaxUint32, random: math.MaxUint64, size: MaxJobBytes, sum: math.MaxUint32, begun: MaxBegun, failed: MaxFailures}.String())
	f.Add("9999999999999999999-00000000-0000000000000000-0000000-00000000.00.0")
	f.Add("000000000000000000a-00000000-0000000000000000-0000000-00000000.00.0")
	f.Add("0000000000000000000-0000000F-0000000000000000-0000000-00000000.00.0")
	f.Add("+000000000000000000-00000000-0000000000000000-0000000-00000000.00.0")
	f.Add("0000000000000000000-00000000-0000000000000000-0000000-00000000.00.0.error")
	f.Add(".lock")
	f.Add("")
	f.Fuzz(func(t *testing.T, file string) {
		n, ok := parse(file)
		if ok {
			require.Equal(t, file, n.String())
		}
	})
}

// Names that Add writes are parsed: otherwise accepted jobs would never be done.
func FuzzNameOfAJob(f *testing.F) {
	f.Add(int64(1), uint32(0), uint64(0), []byte("job"), uint8(0), uint8(0))
	f.Add(int64(math.MaxInt64), uint32(math.MaxUint32), uint64(math.MaxUint64), []byte{}, uint8(99), uint8(9))
	f.Fuzz(func(t *testing.T, at int64, session uint32, random uint64, job []byte, begun, failed uint8) {
		n := name{at: at & math.MaxInt64, session: session, random: random, size: int64(len(job)), begun: int(begun % 100), failed: int(failed % 10)}
		got, ok := parse(n.String())
		require.True(t, ok, n)
		require.Equal(t, n, got)
	})
}
