package learning

// Origin identifies what a learning was imported from, so that importing it again finds it
// even if its text has changed. The zero value is unknown.
type Origin struct {
	File  string // hash of the file and the repository that imports it; "" is unknown
	Entry string // hash of what names the entry in that file
	ID    string // from the entry itself, if it has one
}

// OriginOf returns the origin of an entry of a file, by its name there.
func OriginOf(project, file, entry string) Origin {
	return Origin{File: shortHash(project + "\x00" + file), Entry: shortHash(entry)}
}
