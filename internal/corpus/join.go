package corpus

import (
	"whence/internal/decision"
	"whence/internal/index"
)

// Place is a heading: an index into the decision files, and one into the headings of that file.
type Place struct{ File, Heading int }

// Nowhere is the place of an entry that leads to no heading.
var Nowhere = Place{-1, -1}

// Joined knows which heading each title means.
type Joined struct {
	decisions []*decision.File
	inSection map[titleIn]Place  // the first heading with the title in a section
	titles    map[string][]Place // semantic headings by title key, without documents
	documents map[string][]Place // documents by the key of their title
	aliases   map[string][]Place // documents by the key of their name in words

	// Targets holds where the entry of each line of the index leads, or Nowhere. If several files have
	// its title, and none of them belongs to its section, it leads to the first, and is in Ambiguous.
	Targets   []Place
	Ambiguous map[int]bool
}

// titleIn is a title key in a section of the index.
type titleIn struct{ section, key string }

// Join finds the heading of each entry. It is the only place where an entry finds its heading.
func Join(ix *index.File, decisions []*decision.File) *Joined {
	j := &Joined{
		decisions: decisions, inSection: map[titleIn]Place{}, titles: map[string][]Place{},
		documents: map[string][]Place{}, aliases: map[string][]Place{}, Ambiguous: map[int]bool{},
	}
	for fi, file := range decisions {
		for hi, h := range file.Headings {
			if h.Semantic() {
				j.add(file, h, Place{fi, hi})
			}
		}
	}
	for key, places := range j.aliases { // a title in the section precedes the name of a document there
		for _, at := range places {
			j.addInSection(decisions[at.File], key, at)
		}
	}
	j.Targets = make([]Place, len(ix.Lines))
	for i, line := range ix.Lines {
		j.Targets[i] = Nowhere
		if line.Kind != index.EntryLine {
			continue
		}
		if found := j.Find(ix.Sections[line.Section].Path, line.Entry.Title.Text); len(found) > 0 {
			j.Targets[i] = found[0]
			j.Ambiguous[i] = len(found) > 1
		}
	}
	return j
}

func (j *Joined) add(file *decision.File, h decision.Heading, at Place) {
	j.addInSection(file, h.Key, at)
	if !file.Document {
		j.titles[h.Key] = append(j.titles[h.Key], at)
		return
	}
	alias := decision.Key(h.Alias)
	j.documents[h.Key] = append(j.documents[h.Key], at)
	j.aliases[alias] = append(j.aliases[alias], at)
}

func (j *Joined) addInSection(file *decision.File, key string, at Place) {
	in := titleIn{file.Section(), key}
	if _, taken := j.inSection[in]; !taken {
		j.inSection[in] = at
	}
}

// Find returns the headings that a title in a section may mean: the one in the file or folder of the
// section, else those in other decision files, else documents with that title, else documents with
// that name. Of several in one file, it is the first.
func (j *Joined) Find(section, title string) []Place {
	key := decision.Key(title)
	if at, found := j.inSection[titleIn{section, key}]; found {
		return []Place{at}
	}
	for _, places := range [][]Place{j.titles[key], j.documents[key], j.aliases[key]} {
		if len(places) > 0 && places[0].File == places[len(places)-1].File {
			return places[:1]
		}
		if len(places) > 0 {
			return places
		}
	}
	return nil
}

// Named returns the semantic headings with a title in any section: those of decision files in order of path
// and line, then documents by title, then documents by name.
func (j *Joined) Named(title string) []Place {
	key := decision.Key(title)
	found := append([]Place(nil), j.titles[key]...)
	found = append(found, j.documents[key]...)
	for _, at := range j.aliases[key] {
		if j.decisions[at.File].Headings[at.Heading].Key != key {
			found = append(found, at)
		}
	}
	return found
}
