package memory

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"whence/internal/decision"
	"whence/internal/worktree"
)

// outlines are how the decision files of a memory are divided into blocks, since parsing all of them takes an
// event several milliseconds. An outline is found by the text of its file, so no answer depends
// on whether it is kept. The private file is checked by a sum, and each outline against its text.
type outlines struct {
	name string // of the file; "": nothing is kept

	mu    sync.Mutex // of what follows
	known map[textSum][]byte
	used  map[textSum][]byte
	isNew bool // there are outlines that are not in the file
}

type textSum = [sha256.Size]byte

// outlinesHead begins the file. Its number changes when blocks are read differently.
const outlinesHead = "whence outlines 1\n"

// outlinesOf returns the outlines that are kept for a tree: none, unless it is a [Source].
func outlinesOf(tree fs.FS) *outlines {
	o := &outlines{known: map[textSum][]byte{}, used: map[textSum][]byte{}}
	m, isMemory := tree.(*Source)
	if !isMemory || m.kept == "" {
		return o
	}
	o.name = m.kept
	o.read(readKept(o.name))
	return o
}

// read reads the content of the file, unless it is torn.
func (o *outlines) read(src []byte) {
	rest, found := bytes.CutPrefix(src, []byte(outlinesHead))
	if !found || len(rest) < sha256.Size || sha256.Sum256(rest[sha256.Size:]) != textSum(rest[:sha256.Size]) {
		return
	}
	for rest = rest[sha256.Size:]; len(rest) > sha256.Size; {
		sum := textSum(rest[:sha256.Size])
		n, size := binary.Uvarint(rest[sha256.Size:])
		rest = rest[sha256.Size:]
		if size <= 0 || n > uint64(len(rest)-size) {
			return
		}
		o.known[sum] = rest[size : size+int(n)]
		rest = rest[size+int(n):]
	}
}

// parse is [Layout.Parse]. It is safe for use by several goroutines.
func (o *outlines) parse(l Layout, path string, src []byte) (*decision.File, error) {
	if o.name == "" {
		return l.Parse(path, src)
	}
	sum := sha256.Sum256(src)
	o.mu.Lock()
	outline, known := o.known[sum]
	o.mu.Unlock()
	if known {
		if f, ok := decision.ParseOutlined(path, src, outline, l.isDocument(path)); ok {
			o.use(sum, outline, false)
			return f, nil
		}
	}
	f, err := l.Parse(path, src)
	if err == nil && f.Conflicts == nil { // a conflict is masked before its file is parsed
		o.use(sum, f.Outline(), true)
	}
	return f, err
}

func (o *outlines) use(sum textSum, outline []byte, isNew bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.used[sum], o.isNew = outline, o.isNew || isNew
}

// keep writes the outlines that were used, if some are new. If it fails, files are parsed again.
func (o *outlines) keep() {
	if o.name == "" || !o.isNew {
		return
	}
	var content []byte
	for _, sum := range slices.SortedFunc(maps.Keys(o.used), func(a, b textSum) int { return bytes.Compare(a[:], b[:]) }) {
		content = append(content, sum[:]...)
		content = binary.AppendUvarint(content, uint64(len(o.used[sum])))
		content = append(content, o.used[sum]...)
	}
	whole := sha256.Sum256(content)
	if len(content) < maxKeptBytes/2 {
		_ = worktree.WritePrivate(o.name, slices.Concat([]byte(outlinesHead), whole[:], content))
	}
}
