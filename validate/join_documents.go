package validate

import "whence/internal/decision"

// An entry in the section of a folder leads to a document there: by the title of the document, or by
// the name of its file in words.

// addDocument adds a document under its header title: its own title, or its alias if another document
// of the folder has the same.
func (k *check) addDocument(at Place) {
	file, h := k.Decisions[at.File], k.heading(at)
	name := h.Title
	if k.document(h.Key, file.Section()) != nil {
		name = h.Alias
	}
	k.names[at.File] = name
	key := decision.Key(name)
	if known := k.document(key, file.Section()); known != nil {
		known.headings = append(known.headings, at)
		return
	}
	k.documents[key] = append(k.documents[key], &title{headings: []Place{at}})
}

// document returns the documents of a section with a title key, or nil.
func (k *check) document(key, section string) *title {
	for _, known := range k.documents[key] {
		if k.Decisions[known.headings[0].File].Section() == section {
			return known
		}
	}
	return nil
}

// headerTitle returns the header title for an entry of a heading.
func (k *check) headerTitle(at Place) string {
	if name := k.names[at.File]; name != "" {
		return name
	}
	return k.heading(at).Title
}

// titleOf returns the title of a semantic heading.
func (k *check) titleOf(at Place) *title {
	if name := k.names[at.File]; name != "" {
		return k.document(decision.Key(name), k.Decisions[at.File].Section())
	}
	return k.titles[k.heading(at).Key]
}
