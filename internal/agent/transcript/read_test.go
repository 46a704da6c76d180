package transcript_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/test/transcripttest"
)

// reading returns all records after a cursor.
func reading(t testing.TB, src []byte, from transcript.Cursor) ([]transcript.Record, transcript.Cursor, bool) {
	t.Helper()
	var records []transcript.Record
	at, anew, err := transcript.Read(bytes.NewReader(src), int64(len(src)), from, func(r transcript.Record) error {
		records = append(records, r)
		return nil
	})
	require.NoError(t, err)
	return records, at, anew
}

// user returns the line of a prompt.
func user(uuid, text string) string {
	src, _ := json.Marshal(map[string]any{"type": "user", "uuid": uuid, "message": map[string]any{"content": text}})
	return string(src) + "\n"
}

func uuids(records []transcript.Record) (ids []string) {
	for _, r := range records {
		ids = append(ids, r.UUID)
	}
	return ids
}

func TestReadGoesOn(t *testing.T) {
	src := user("a", "one") + user("b", "two")
	records, at, anew := reading(t, []byte(src), transcript.Cursor{})
	require.Equal(t, []string{"a", "b"}, uuids(records))
	require.False(t, anew)
	require.EqualValues(t, len(src), at.Offset)

	kept, err := json.Marshal(at)
	require.NoError(t, err)
	var again transcript.Cursor
	require.NoError(t, json.Unmarshal(kept, &again))
	records, again, _ = reading(t, []byte(src), again)
	require.Empty(t, records)
	records, _, anew = reading(t, []byte(src+user("c", "three")), again)
	require.Equal(t, []string{"c"}, uuids(records))
	require.False(t, anew)
}

func TestReadOfOneThatWasWrittenAnew(t *testing.T) {
	old := user("a", "one") + user("b", "two")
	_, at, _ := reading(t, []byte(old), transcript.Cursor{})
	for name, src := range map[string]string{
		"more in front":             user("z", "zero") + old + user("c", "three"),
		"less in front":             user("b", "two") + user("c", "three"),
		"the record in other words": user("a", "one") + user("b", "two, edited") + user("c", "three"),
		"shorter, all different":    user("x", "new"),
		"longer, all different":     strings.Repeat(user("x", "new"), 9),
		"empty":                     "",
	} {
		t.Run(name, func(t *testing.T) {
			whole, end, _ := reading(t, []byte(src), transcript.Cursor{})
			records, next, anew := reading(t, []byte(src), at)
			require.True(t, anew)
			require.Equal(t, whole, records)
			require.Equal(t, end, next)
		})
	}
	// Lines that are not records are alike, so none of them is recognized.
	for _, passed := range []string{"\n", "no JSON\n", "[1]\n"} {
		old := user("a", "one") + passed
		_, at, _ := reading(t, []byte(old), transcript.Cursor{})
		require.EqualValues(t, len(old), at.Offset)
		records, _, anew := reading(t, []byte(user("a", "on")+" "+passed+user("b", "two")), at)
		require.Equal(t, []string{"a", "b"}, uuids(records))
		require.True(t, anew)
	}
}

func TestHalfALineWaits(t *testing.T) {
	src := user("a", "one") + user("b", "two")
	for cut := range len(src) {
		records, at, _ := reading(t, []byte(src[:cut]), transcript.Cursor{})
		rest, at, _ := reading(t, []byte(src), at)
		require.Equal(t, []string{"a", "b"}, uuids(append(records, rest...)), "cut at %d", cut)
		require.EqualValues(t, len(src), at.Offset)
	}
}

func TestWhatIsNoRecord(t *testing.T) {
	good := user("a", "one")
	for name, c := range map[string]struct {
		src  string
		want int // records
	}{
		"half an object":    {"{\"type\":\"user\",\"mess\n" + good, 1},
		"a string":          {"\"text\"\n" + good, 1},
		"a list":            {"[1]\n" + good, 1},
		"a number":          {"42\n" + good, 1},
		"null":              {"null\n" + good, 1},
		"without a type":    {"{\"silly\":\"this\"}\n" + good, 1},
		"a type of no text": {"{\"type\":[1]}\n" + good, 1},
		"empty lines":       {"\n\r\n \n" + good, 1},
		"CRLF and BOM":      {"\ufeff" + strings.TrimSuffix(good, "\n") + "\r\n", 1},
		"a hole of NULs":    {"\x00\x00\x00" + good, 1},
		"fields of no use":  {`{"type":"user","uuid":7,"isMeta":"x","timestamp":"later","message":"error"}` + "\n" + good, 2},
		"odd blocks":        {`{"type":"user","message":{"content":["wow",{"type":"text","text":5},null,{"type":"tool_result","content":[7,{"type":"text"}]}]}}` + "\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			records, _, _ := reading(t, []byte(c.src), transcript.Cursor{})
			require.Len(t, records, c.want)
			if strings.Contains(c.src, good[:20]) {
				require.Equal(t, "one", records[len(records)-1].Blocks[0].Text)
			}
		})
	}
}

func TestTextsAreValid(t *testing.T) {
	records, _, _ := reading(t, []byte(`{"type":"user","message":{"content":"a\ud800b\u0000c`+"\xff"+`"}}`+"\n"), transcript.Cursor{})
	require.Equal(t, "a\ufffdbc\ufffd", records[0].Blocks[0].Text)
}

// A line that is too long is not held in memory, and the next one is read.
func TestALineThatIsTooLong(t *testing.T) {
	for _, length := range []int{transcript.MaxLineBytes - 100, transcript.MaxLineBytes + 1, transcript.MaxLineBytes + 300<<10, 64<<20 + 5} {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			src := user("a", "one") + user("b", strings.Repeat("x", length)) + user("c", "three")
			records, at, _ := reading(t, []byte(src), transcript.Cursor{})
			if length < transcript.MaxLineBytes {
				require.Equal(t, []string{"a", "b", "c"}, uuids(records))
				return
			}
			require.Equal(t, []string{"a", "c"}, uuids(records))
			require.EqualValues(t, len(src), at.Offset)

			whole := len(src) - len(user("c", "three"))
			_, at, _ = reading(t, []byte(src[:whole]), transcript.Cursor{})
			records, _, anew := reading(t, []byte(src), at)
			require.False(t, anew, "known by its end")
			require.Equal(t, []string{"c"}, uuids(records))
		})
	}
}

func TestAFunctionThatFailsGetsItsRecordAgain(t *testing.T) {
	src := []byte(user("a", "one") + user("b", "two"))
	at, _, err := transcript.Read(bytes.NewReader(src), int64(len(src)), transcript.Cursor{}, func(r transcript.Record) error {
		if r.UUID == "b" {
			return os.ErrClosed
		}
		return nil
	})
	require.ErrorIs(t, err, os.ErrClosed)
	records, _, _ := reading(t, src, at)
	require.Equal(t, []string{"b"}, uuids(records))
}

func TestBlocks(t *testing.T) {
	src := `{"type":"assistant","uuid":"u","parentUuid":"p","sessionId":"s","timestamp":"2026-01-02T03:04:05.678Z","cwd":"/w","gitBranch":"main","version":"2.1.0","agentId":"g","isSidechain":true,` +
		`"message":{"id":"m","model":"x","content":[{"type":"thinking","thinking":"no"},{"type":"text","text":"yes"},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls","description":"look","args":{"odd":1}}},{"type":"tool_use","id":"e","name":"NotebookEdit","input":{"notebook_path":"/n"}}]}}` + "\n" +
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}]}}` + "\n" +
		`{"type":"assistant","message":{"model":"<synthetic>","content":[]}}` + "\n" +
		`{"type":"tool_result","content":"Error: x"}` + "\n" +
		`{"type":"attachment","attachment":{"type":"queued_command","commandMode":"prompt","origin":{"kind":"human"},"prompt":"and then?"}}` + "\n" +
		`{"type":"attachment","attachment":{"type":"queued_command","commandMode":"task-notification","prompt":"no"}}` + "\n" +
		`{"type":"attachment","attachment":{"type":"hook_additional_context","content":["no"]}}` + "\n" +
		`{"type":"api-request-blob","message":{"content":"no"}}` + "\n"
	records, _, _ := reading(t, []byte(src), transcript.Cursor{})
	require.Len(t, records, 8)
	first := records[0]
	require.Equal(t, "2026-01-02T03:04:05.678Z", first.At.Format("2006-01-02T15:04:05.000Z07:00"))
	require.Equal(t, []transcript.Block{
		{Kind: transcript.Text, Index: 1, Text: "yes"},
		{Kind: transcript.Use, Index: 2, Tool: "t", Name: "Bash", Input: transcript.Input{Command: "ls", Description: "look"}},
		{Kind: transcript.Use, Index: 3, Tool: "e", Name: "NotebookEdit", Input: transcript.Input{Path: "/n"}},
	}, first.Blocks)
	require.Equal(t, []string{"u", "s", "/w", "m"}, []string{first.UUID, first.Session, first.Cwd, first.Message})
	require.True(t, first.Sidechain)
	require.Equal(t, []transcript.Block{{Kind: transcript.Result, Tool: "t", Error: true, Text: "a\nb"}}, records[1].Blocks)
	require.True(t, records[2].Synthetic)
	require.Equal(t, "Error: x", records[3].Blocks[0].Text)
	require.Equal(t, "and then?", records[4].Blocks[0].Text)
	for _, r := range records[5:] {
		require.Empty(t, r.Blocks)
	}
}

func TestWhatHooksHaveTold(t *testing.T) {
	for content, want := range map[string]string{
		`"one"`:                              "one",
		`["one","two"]`:                      "one\ntwo",
		`[{"type":"text","text":"one"}]`:     "one",
		`[7,null,["x"],{"type":"image"}]`:    "",
		`{"odd":true}`:                       "",
		`7`:                                  "",
		`["a\u0000b"]`:                       "ab",
		`[{"type":"text","text":5},"three"]`: "\nthree",
	} {
		src := `{"type":"attachment","attachment":{"type":"hook_additional_context","hookName":"PostToolUse:Bash","hookEvent":"PostToolUse","content":` + content + `}}` + "\n"
		records, _, _ := reading(t, []byte(src), transcript.Cursor{})
		require.Equal(t, want, records[0].Injected, content)
		require.Empty(t, records[0].Blocks)
	}
	records, _, _ := reading(t, []byte(`{"type":"attachment","attachment":{"type":"hook_success","hookEvent":"Stop","content":"no"}}`+"\n"), transcript.Cursor{})
	require.Empty(t, records[0].Injected)
}

// The text that an edit writes is read, whatever the tool.
func TestWritten(t *testing.T) {
	for input, want := range map[string]string{
		`{"file_path":"/a","content":"x"}`:                                         "x",
		`{"file_path":"/a","old_string":"o","new_string":"x"}`:                     "x",
		`{"file_path":"/a","edits":[{"new_string":"x"},{"new_string":"y"},7]}`:     "x\ny\n\n",
		`{"notebook_path":"/a","new_source":"x"}`:                                  "x",
		`{"content":[{"type":"text"}],"edits":"no","command":"ls","new_string":1}`: "",
	} {
		records, _, _ := reading(t, []byte(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"x","input":`+input+`}]}}`+"\n"), transcript.Cursor{})
		require.Equal(t, want, records[0].Blocks[0].Input.Written, input)
	}
}

func TestMapReachesEveryText(t *testing.T) {
	r := transcript.Record{UUID: "id", Cwd: "x", Injected: "x", Blocks: []transcript.Block{{Tool: "id", Name: "id", Text: "x", Input: transcript.Input{Command: "x", Description: "x", Path: "x", Skill: "x", Args: "x", Query: "x", Written: "x"}}}}
	before, err := json.Marshal(r)
	require.NoError(t, err)
	mapped, err := json.Marshal(r.Map(func(string) string { return "y" }))
	require.NoError(t, err)
	require.Equal(t, strings.ReplaceAll(string(before), `"x"`, `"y"`), string(mapped))
	after, err := json.Marshal(r)
	require.NoError(t, err)
	require.Equal(t, before, after, "the record itself is as it was")
}

func TestALongResultIsKeptByItsEnds(t *testing.T) {
	text := "begin" + strings.Repeat("ä", 1<<20) + "end"
	src, _ := json.Marshal(map[string]any{"type": "tool_result", "content": text})
	records, _, _ := reading(t, append(src, '\n'), transcript.Cursor{})
	got := records[0].Blocks[0].Text
	require.Less(t, len(got), 65<<10)
	require.True(t, strings.HasPrefix(got, "beginä") && strings.HasSuffix(got, "äend") && strings.ToValidUTF8(got, "") == got)
}

// For any bytes and any cursor, the new cursor is within the transcript, and a file that grows in pieces gives the same
// records as the whole file.
func FuzzRead(f *testing.F) {
	f.Add([]byte(user("a", "one")+"{\n\n[1]\n"+user("b", "two")+"\x00\xff"), int64(3), []byte{3, 50, 1})
	f.Add([]byte(user("a", "one")+user("a", "one")), int64(-1), []byte{})
	for _, name := range transcripttest.Names(f, "*") {
		src, err := os.ReadFile(transcripttest.Path(f, name))
		require.NoError(f, err)
		f.Add(src, int64(100), []byte{200, 9, 254, 254})
	}
	f.Fuzz(func(t *testing.T, src []byte, offset int64, pieces []byte) {
		_, at, _ := reading(t, src, transcript.Cursor{Offset: offset, Hash: "x"})
		require.True(t, at.Offset >= 0 && at.Offset <= int64(len(src)))

		whole, end, _ := reading(t, src, transcript.Cursor{})
		var parts []transcript.Record
		at = transcript.Cursor{}
		size := 0
		for _, n := range slices.Concat(pieces, []byte{255}) {
			if size += int(n); n == 255 {
				size = len(src)
			}
			size = min(size, len(src))
			var more []transcript.Record
			var anew bool
			more, at, anew = reading(t, src[:size], at)
			require.False(t, anew)
			parts = append(parts, more...)
		}
		require.Equal(t, whole, parts)
		require.Equal(t, end, at)
	})
}

// A session that continues in another folder does so whatever the pieces in which it is read.
func TestTheFolderIsKept(t *testing.T) {
	meta := `{"type":"session_meta","payload":{"id":"s","cwd":"/a"}}` + "\n"
	moved := `{"type":"turn_context","payload":{"cwd":"/b"}}` + "\n"
	said := `{"type":"event_msg","payload":{"type":"user_message","message":"Go on, please."}}` + "\n"
	src := meta + strings.Repeat(said, 4) + moved + strings.Repeat(said, 4)
	whole, end, _ := reading(t, []byte(src), transcript.Cursor{})
	for cut := range len(src) {
		first, at, _ := reading(t, []byte(src[:cut]), transcript.Cursor{})
		rest, last, _ := reading(t, []byte(src), at)
		require.Equal(t, whole, slices.Concat(first, rest), cut)
		require.Equal(t, end, last)
	}
	require.Equal(t, "/a", whole[3].Cwd)
	require.Equal(t, "/b", whole[4].Cwd)
}

// Any content of a database can be read as a part, and the records of a part have the id of its row.
func FuzzPart(f *testing.F) {
	for _, name := range transcripttest.Names(f, transcripttest.OpenCode) {
		for _, row := range transcripttest.Rows(f, name) {
			if row.Part != nil {
				f.Add([]byte(row.Part.Data), []byte(`{"role":"assistant","time":{"completed":1}}`))
			}
		}
	}
	f.Fuzz(func(t *testing.T, part, message []byte) {
		records, _ := transcript.Part{ID: "prt", Data: part, MessageID: "msg", Message: message}.Records()
		for _, r := range records {
			require.Equal(t, "prt", r.UUID)
			require.NotContains(t, fmt.Sprint(r), "\x00")
		}
	})
}
