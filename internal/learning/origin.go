package learning

// Origin says what a learning was imported from, so that importing it again finds it, whatever
// its text has become. The zero value is unknown.
type Origin struct {
	File  string // hash of the file and the repository that imports it; "" is unknown
	Entry string // hash of what names the entry in that file
	ID    string // that the entry itself gives, if it does
}

// OriginOf is the origin of an entry of a file, by what names it there.
func OriginOf(project, file, entry string) Origin {
	return Origin{File: shortHash(project + "\x00" + file), Entry: shortHash(entry)}
}
