package capture

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whence/internal/worktree"
)

// watch holds what events say about a transcript: where it ended, and whether capture was on. Between an event under on
// and one under off, capture was switched off at an unknown time, so everything said between them counts as said under
// off. Its JSON is stored with the transcript; the zero watch has seen no event.
//
// Folders are those whose settings decide, with links resolved. Each has its own events, because a session may move
// from one to another.
type watch struct {
	// Begin is where the transcript ended at the first event, if that came before a turn. Earlier records are not read:
	// they were said before the user's consent, or are copies from another session.
	Begin int64 `json:"begin,omitempty"`
	// First is the time of the first event. Records from before that time are in a transcript that goes on, or were
	// copied into it later.
	First time.Time `json:"first,omitzero"`
	// Prompts is set once an event has come before the user's words, as one then does before each turn: nothing is said
	// without an event that shows whether capture is on. Not all agents have such events.
	Prompts bool `json:"prompts,omitempty"`
	// Sub is set for a subagent's transcript: the events of its session apply to it, by their times.
	Sub   bool       `json:"sub,omitempty"`
	Last  []mark     `json:"last,omitempty"` // one per folder
	Off   []offRange `json:"off,omitempty"`
	Named []named    `json:"named,omitempty"`
}

// Values that are used in place of a folder.
const (
	everywhere = ""  // all folders: each event notes whether there is any consent
	nowhere    = "*" // the folder of records that name none: each event applies to them
)

// named is an agent's name for a folder. It is kept because a link may lead elsewhere later.
type named struct {
	Dir    string `json:"dir"`
	Folder string `json:"folder"` // whose settings decided then
}

// eventKind says when an event comes.
type eventKind int

// The kinds of events: after what was said, before a session goes on, and before the user's next words.
const (
	eventAfter eventKind = iota
	eventBegun
	eventPrompted
)

// mark is the last event in a folder.
type mark struct {
	Folder string    `json:"folder"`
	On     bool      `json:"on"`
	Place  int64     `json:"place"` // where the transcript ended, see transcript.Record.Place
	At     time.Time `json:"at"`
}

// offRange is a part of a transcript that was said under off in a folder.
type offRange struct {
	Folder string `json:"folder"`
	From   int64  `json:"from"`
	To     int64  `json:"to"` // unless it is Open
	Open   bool   `json:"open,omitempty"`
	// Since and Until are the times of the last event under on and of the last one under off. An agent may be late to
	// write what was said between them. Both are zero if no time is known.
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
	End   time.Time `json:"end,omitzero"` // when Open became false
}

// maxRanges is the number of ranges of a transcript beyond which the oldest two of a folder are merged into one that
// includes what is between them.
const maxRanges = 64

// watchOf reads a stored watch. If it cannot be read, everything is in doubt, so everything is off.
func watchOf(stored []byte) (w watch) {
	if len(stored) > 0 && json.Unmarshal(stored, &w) != nil {
		return watch{Off: []offRange{{Open: true}}}
	}
	return w
}

func (w *watch) stored() []byte {
	src, _ := json.Marshal(w) // cannot fail
	return src
}

// see records an event in a folder; place is where the transcript ended.
func (w *watch) see(folder string, on bool, place int64, at time.Time, kind eventKind) {
	if len(w.Last) == 0 && kind != eventAfter {
		w.Begin = place
	}
	if len(w.Last) == 0 {
		w.First = at
	}
	w.Prompts = w.Prompts || kind == eventPrompted
	w.inherit(folder)
	last := w.last(folder)
	open := w.open(folder)
	switch {
	case on && open != nil:
		open.To, open.Open, open.End = place, false, at
		if kind == eventAfter && !w.Prompts && last != nil { // the event covers what was said since the one before
			open.To = last.Place
		}
	case !on && open != nil:
		open.Until = at
	case !on:
		r := offRange{Folder: folder, Open: true, Since: at, Until: at}
		if last != nil {
			r.From, r.Since = last.Place, last.At
		}
		w.add(r)
	}
	if last == nil {
		w.Last = append(w.Last, mark{Folder: folder})
		last = &w.Last[len(w.Last)-1]
	}
	last.On, last.Place, last.At = on, place, at
}

// inherit copies the last event and the open range of the nearest folder that contains this one, if that is off and
// this one has no event yet: it may have been a part of that folder until now.
func (w *watch) inherit(folder string) {
	outer := w.holding(folder)
	last, open := w.last(outer), w.open(outer)
	if outer == "" || outer == folder || last == nil || last.On || open == nil {
		return
	}
	r := *open
	r.Folder = folder
	w.Last = append(w.Last, mark{folder, false, last.Place, last.At})
	w.add(r)
}

// seeIn records an event for folder, whose settings decide about dir, the agent's folder; for records that name no
// folder; and for folders between the two that had events: they no longer have settings of their own.
func (w *watch) seeIn(dir, folder string, on bool, place int64, at time.Time, kind eventKind) {
	name := named{dir, folder}
	if !slices.Contains(w.Named, name) && len(w.Named) < maxRanges {
		w.Named = append(w.Named, name)
	}
	dir = worktree.Resolved(dir)
	w.see(nowhere, on, place, at, kind)
	for _, m := range slices.Clone(w.Last) {
		if m.Folder != everywhere && m.Folder != nowhere && m.Folder != folder && isIn(m.Folder, folder) && isIn(dir, m.Folder) {
			w.see(m.Folder, on, place, at, kind)
		}
	}
	w.see(folder, on, place, at, kind)
}

// foldersOf returns the folders whose events apply to a record. name is the record's folder as the agent wrote it, dir
// the same with links resolved.
func (w *watch) foldersOf(name, dir string) (folders []string) {
	if name == "" {
		return []string{nowhere}
	}
	if folder := w.holding(dir); folder != "" {
		folders = append(folders, folder)
	}
	for _, n := range w.Named {
		if n.Dir == name && !slices.Contains(folders, n.Folder) {
			folders = append(folders, n.Folder)
		}
	}
	return folders
}

// holding returns the innermost folder with an event that is dir or contains it; "" if there is none.
func (w *watch) holding(dir string) (folder string) {
	for _, m := range w.Last {
		if m.Folder != nowhere && isIn(dir, m.Folder) && len(m.Folder) > len(folder) {
			folder = m.Folder
		}
	}
	return folder
}

// isIn reports whether dir is folder or below it. Links in both must be resolved.
func isIn(dir, folder string) bool {
	return dir == folder || strings.HasPrefix(dir, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// endConsent records that the user has withdrawn their consent: all folders are off, from their last events on.
func (w *watch) endConsent(at time.Time) {
	for _, m := range slices.Clone(w.Last) {
		w.see(m.Folder, false, m.Place, at, eventAfter)
	}
	w.Prompts = true // what follows is in doubt up to the next event
}

// beginAfter records, at the first event, that records before a place may have been said without consent.
func (w *watch) beginAfter(place int64) {
	if len(w.Last) == 0 && place > 0 {
		w.Begin = place
		w.add(offRange{To: place})
	}
}

// branch returns the watch of a transcript that began after the last event of this one, like those of subagents.
func (w *watch) branch() (sub watch) {
	sub.Sub, sub.Prompts, sub.First = true, w.Prompts, w.First
	for _, m := range w.Last {
		sub.Last = append(sub.Last, mark{m.Folder, m.On, 0, m.At})
		if !m.On {
			sub.add(offRange{Folder: m.Folder, Open: true, Since: m.At, Until: m.At})
		}
	}
	return sub
}

// covers reports whether a record in a folder was said under off, by its place in the transcript, or by its time if
// that is not zero. In a rewritten transcript, everything before the end of a range counts.
func (w *watch) covers(folder string, place int64, at time.Time, rewritten bool) bool {
	return slices.ContainsFunc(w.Off, func(r offRange) bool {
		if r.Folder != folder && r.Folder != everywhere {
			return false
		}
		isInside := (place >= r.From || rewritten) && (r.Open || place < r.To)
		isThen := !at.IsZero() && !r.Until.IsZero() && !at.Before(r.Since) && !at.After(r.Until)
		return isInside || isThen
	})
}

// saidDuring reports whether a time is within a range of a folder. It serves to recognize copies in other transcripts.
func (w *watch) saidDuring(folder string, at time.Time) bool {
	return slices.ContainsFunc(w.Off, func(r offRange) bool {
		isOf := r.Folder == folder || r.Folder == everywhere
		return isOf && !r.Since.IsZero() && !at.Before(r.Since) && (r.Open || !at.After(r.End))
	})
}

func (w *watch) last(folder string) *mark {
	i := slices.IndexFunc(w.Last, func(m mark) bool { return m.Folder == folder })
	if i < 0 {
		return nil
	}
	return &w.Last[i]
}

func (w *watch) open(folder string) *offRange {
	i := slices.IndexFunc(w.Off, func(r offRange) bool { return r.Folder == folder && r.Open })
	if i < 0 {
		return nil
	}
	return &w.Off[i]
}

func (w *watch) add(r offRange) {
	w.Off = append(w.Off, r)
	if len(w.Off) <= maxRanges {
		return
	}
	first := &w.Off[0]
	next := slices.IndexFunc(w.Off[1:], func(r offRange) bool { return r.Folder == first.Folder }) + 1
	if next == 0 { // a folder with a single range
		w.Off = append(w.Off[1:], *first)
		return
	}
	other := w.Off[next]
	first.To, first.Open, first.End = max(first.To, other.To), first.Open || other.Open, other.End
	if other.Until.After(first.Until) {
		first.Until = other.Until
	}
	w.Off = slices.Delete(w.Off, next, next+1)
}
