package redact

// Options of well-known programs that take a password: curl -u user:…, mysql -p…. They are
// found from the name of the program on, on the same line. Options with a telling name,
// such as --password, are found by that, see assignment.go.

// maxCommand is how many bytes of a command are looked at.
const maxCommand = 300

const (
	// given is a password as a shell takes it; not one that was removed before.
	given = `["']?([^\s"'` + "`" + `;|&<>\[(][^\s"'` + "`" + `;|]*)`

	// behind are other arguments of a program.
	behind = `[ \t](?:(?:[^\n;|` + "`" + `]|\\\n)*?[\s"'])??`
)

// programs are rules for the programs whose names begin with a hint. An option begins an
// argument.
func programs() []rule {
	login := `\s+(?:registry +)?login` + behind + `(?:-p|--password)[ =]` + given
	all := []rule{
		{hints: []string{"curl"}, pattern: `curl(?:\.exe)?` + behind + `(?:-[a-zA-Z]*[uU]|--user|--proxy-user)[ =]?["']?[^\s:"'<]+:` + given},
		{hints: []string{"curl"}, kind: "cookie", pattern: `curl(?:\.exe)?` + behind + `(?:-b|--cookie)[ =]?["']?([\w.%-]+=[^\s"']+(?:; ?[\w.%-]+=[^\s"';]+)*)`, check: isCookieValue},
		{hints: []string{"mysql", "mariadb"}, pattern: `(?:mysql|mariadb)[a-z-]*` + behind + `-p` + given},
		{hints: []string{"sshpass"}, pattern: `sshpass` + behind + `-p ?` + given},
		{hints: []string{"docker", "podman", "nerdctl", "helm", "skopeo", "buildah"}, pattern: `[a-z]+` + login},
		{hints: []string{"redis-cli"}, pattern: `redis-cli` + behind + `(?:-a|--pass)[ =]` + given},
		{hints: []string{"zip ", "unzip "}, pattern: `(?:un)?zip` + behind + `-P ?` + given},
		{hints: []string{"7z ", "7za ", "7zz ", "rar ", "unrar "}, pattern: `(?:7z[az]?|(?:un)?rar)` + behind + `-h?p` + given},
		{hints: []string{"pass:"}, before: `-pass(?:in|out|word)?[ =]["']?$`, pattern: `pass:` + given},
		{hints: []string{"htpasswd"}, pattern: `htpasswd +-[a-zA-Z]*b[a-zA-Z]*(?: +-\S+)*(?: +[^\s-]\S*)?(?: +[^\s-]\S*) +` + given},
		{hints: []string{"net use"}, pattern: `net use` + behind + `(?:(?i:/user:)\S+|\\\\\S+) +["']?([^\s/"'\[<][^\s"']*)`},
		{hints: []string{"mongo"}, pattern: `mongo[a-z]*` + behind + `(?:-p|--password)[ =]` + given},
		{hints: []string{"ldap"}, pattern: `ldap[a-z]+` + behind + `-w ?` + given},
		{hints: []string{"smbclient", "rpcclient"}, pattern: `[a-z]+` + behind + `(?:-U|--user)[ =]?["']?[^\s%"']+%` + given},
		{hints: []string{"sqlcmd"}, pattern: `sqlcmd` + behind + `-P ?` + given},
		{hints: []string{"-storepass", "-keypass"}, glued: true, pattern: `-(?:store|key)pass +` + given},
		{hints: []string{"--from-literal"}, glued: true, pattern: `--from-literal[ =]["']?[\w.-]+=` + given},
		{hints: []string{"echo ", "printf "}, pattern: `(?:echo|printf)(?: -n)? +` + given + `["']?\s*\|[^|\n]*(?:--with-token|--password-stdin|sudo\s.*-S|chpasswd|passwd --stdin)`},
		{hints: []string{"vault login"}, kind: "token", pattern: `vault login +([^\s-]\S{15,})`, check: isNoWord},
		{hints: []string{"--with-token"}, glued: true, pattern: `--with-token\s*<<<\s*` + given},
	}
	for i := range all {
		if r := &all[i]; r.kind == "" {
			r.kind, r.check = "password", isGiven
		}
		all[i].window = maxCommand
	}
	return all
}
