package redact

import (
	"cmp"
	"strings"
)

// Passwords that have no name beside them: only their place gives them away. It is an option of a program,
// found from its name on, on the same line; an argument of a call; or a field of a line in a file.

const (
	// given is a password as a shell takes it; not one that was removed before.
	given = `["']?([^\s"'` + "`" + `;|&<>\[(][^\s"'` + "`" + `;|]*)`

	// behind are other arguments of a program.
	behind = `[ \t](?:(?:[^\n;|` + "`" + `]|\\\n)*?[\s"'])??`
)

// options match how programs take a password, by the beginnings of their names, separated by commas.
var options = []struct{ programs, option string }{
	{"mysql,mariadb", `-p`},
	{"sshpass", `-p ?`},
	{"7z ,7za ,7zz ,rar ,unrar ", `-h?p`},
	{"docker login,docker registry login,podman login,nerdctl login,helm login,helm registry login,skopeo login,buildah login,rdesktop,evil-winrm,psexec,ncftp,usermod,useradd,crackmapexec,netexec,mongo,az login,twine upload,cqlsh,rabbitmqadmin", `(?:-p|--password)[ =]`},
	{"sqlcmd,bcp ,mosquitto_,ipmitool,isql,snowsql,zip ,unzip ", `-P ?`},
	{"plink,pscp,psftp,putty", `-pw `},
	{"freerdp,xfreerdp,wlfreerdp", `/p:`},
	{"cmdkey,schtasks,wmic,runas,vncviewer", `/(?i:pass|password|p|rp)(?::| )`},
	{"redis-cli", `(?:-a|--pass)[ =]`},
	{"snmp", `-(?:c|A|X) ?`},
	{"ldap", `-w ?`},
	{"openssl enc,openssl aes", `-[kK] +`},
	{"ssh-keygen", `-[NP] ?`},
	{"gh secret set", `(?:-b|--body)[ =]?`},
	{"keyvault secret set", `--value[ =]`},
	{"curl", `(?:-[a-zA-Z]*[uU]|--user|--proxy-user)[ =]?["']?[^\s:"'<]+:`},
	{"http ,https ", `(?:-a|--auth)[ =]["']?[^\s:"'<]+:`},
	{"lftp,ncftp", `-u ?["']?[^\s,"'$]+,`},
	{"smbclient,rpcclient", `(?:-U|--user)[ =]?["']?[^\s%"']+%`},
}

// placed returns the rules for them. What they do not say is the default: the secret is a password, and
// whatever is given there is one.
func placed() []rule {
	const (
		argument = `\s{0,4}["'][^"'\n]*["']\s{0,4},`
		last     = `\s{0,4}["']([^"'\n]+)["']`
	)
	quoted := `\s*["'` + "`" + `]([^"'` + "`" + `\n]+)["'` + "`" + `]`
	all := []rule{
		{hints: []string{"curl"}, kind: "cookie", pattern: `curl(?:\.exe)?` + behind + `(?:-b|--cookie)[ =]?["']?([\w.%-]+=[^\s"']+(?:; ?[\w.%-]+=[^\s"';]+)*)`, check: isCookieValue},
		{hints: []string{"curl"}, pattern: `curl(?:\.exe)?` + behind + `(?:-x|--proxy)[ =]?["']?[^\s:"'/<@]+:([^\s"'<\[]+)@`},
		{hints: []string{"wpa_passphrase"}, pattern: `wpa_passphrase\s+(?:"[^"\n]*"|'[^'\n]*'|\S+)\s+` + given},
		{hints: []string{"secretsdump", "psexec", "wmiexec", "smbexec", "atexec", "dcomexec", "mssqlclient", "getuserspns", "lookupsid"}, // impacket: domain/user:password@host
			pattern: `\w+(?:\.py)?` + behind + `["']?[\w.-]+/[\w.-]+:([^\s"'<\[@]+)(?:@|["' ]|$)`},
		{hints: []string{"pass:"}, before: `-pass(?:in|out|word)?[ =]["']?$`, pattern: `pass:` + given},
		{hints: []string{"htpasswd"}, pattern: `htpasswd +-[a-zA-Z]*b[a-zA-Z]*(?: +-\S+)*(?: +[^\s-]\S*)?(?: +[^\s-]\S*) +` + given},
		{hints: []string{"net user"}, pattern: `net user +[^\s/]+ +["']?([^\s/"'\[<` + "`" + `][^\s"'` + "`" + `]*)`},
		{hints: []string{"net use"}, pattern: `net use` + behind + `(?:(?i:/user:)\S+|\\\\\S+) +["']?([^\s/"'\[<][^\s"']*)`},
		{hints: []string{"impdp", "expdp", "sqlldr", "exp ", "imp ", "rman"}, pattern: `[a-z]+(?: target)? +[\w.-]+/([^\s"'<>\[;|&@/]+)`, check: isArgument},
		{hints: []string{"vncpasswd", "passwd "}, pattern: `[a-z]+` + behind + `<<< ?` + given},
		{hints: []string{"sqlplus"}, pattern: `sqlplus` + behind + `[\w.-]+/([^\s"'<>\[;|&]+)@`},
		{hints: []string{"jdbc:oracle:"}, pattern: `jdbc:oracle:\w+:[\w.-]+/([^\s"'<\[]+)@`},
		{hints: []string{"auth "}, before: `(?:redis-cli|>|^|\n) *$`, pattern: `AUTH +(?:[\w-]+ +)?` + given + `["']?[ \t]*(?m:$)`, check: isArgument},
		{hints: []string{"requirepass", "masterauth"}, pattern: `(?:requirepass|masterauth)["']? +` + given, check: isArgument},
		{hints: []string{"put-parameter"}, inWord: true, pattern: `put-parameter(?:[^\n;|]*?SecureString` + behind + `--value[ =]` + given + `|` + behind + `--value[ =]` + given + `[^\n;|]*?SecureString)`},
		{hints: []string{"user-secrets set"}, pattern: `user-secrets set +["']?[\w:.-]+["']? +` + given},
		{hints: []string{"rabbitmqctl"}, pattern: `rabbitmqctl +(?:add_user|change_password) +\S+ +` + given},
		{hints: []string{"convertto-securestring"}, pattern: `(?i:ConvertTo-SecureString)(?: +-String)? +["']([^"'\s]+)["']`},
		{hints: []string{"setbasicauth(", "httpbasicauth(", "auth=(", "credentials = (", "creds = (", "login = (", "networkcredential("}, inWord: true, pattern: `(?:[sS]etBasicAuth|HTTPBasicAuth|auth=|[a-z]+ = |NetworkCredential)\(\s*["'` + "`" + `][^"'` + "`" + `\n]*["'` + "`" + `]\s*,` + quoted, check: isSetting},
		{hints: []string{"-storepass", "-keypass"}, inWord: true, pattern: `-(?:store|key)pass +` + given},
		{hints: []string{"--from-literal"}, inWord: true, pattern: `--from-literal[ =]["']?[\w.-]+=` + given},
		{hints: []string{"echo ", "printf "}, pattern: `(?:echo|printf)(?: -n)? +["']?(?:[\w.-]+:)?` + given + `["']?\s*\|[^|\n]*(?:--with-token|--password-stdin|sudo\s.*-S|chpasswd|passwd --stdin)`},
		{hints: []string{"vault login", "vault operator unseal", "cargo login", "wandb login", "snyk auth", "add-authtoken"}, kind: "token",
			pattern: `(?:vault login|vault operator unseal|cargo login|wandb login|snyk auth|add-authtoken) +([^\s-]\S{15,})`, check: isNoWord},
		{hints: []string{"sentinel auth-pass "}, pattern: `sentinel auth-pass \S+ +` + given},
		{hints: []string{"isakmp key ", " key 0 ", " key 7 "}, inWord: true, pattern: `(?:isakmp| ?key)(?: key)?(?: [07])? ` + given, check: isArgument},
		{hints: []string{"stats auth"}, pattern: `stats auth +[^\s:]+:` + given},
		{hints: []string{"rocommunity", "rwcommunity"}, pattern: `r[ow]community6? +` + given + `["']?[ \t]*(?m:$|[ \t][\d-]|[ \t]default)`, check: isSetting},
		{hints: []string{"snmp-server community", "snmp-server host"}, pattern: `snmp-server (?:community|host \S+(?: version \S+)?) +` + given, check: isSetting},
		{hints: []string{"createuser "}, pattern: `createUser +\S+ +(?:MD5|SHA(?:-\d+)?) +` + given},
		{hints: []string{"password ", "secret "}, pattern: `(?:password|secret) [05789] +` + given + `["']?[ \t]*(?m:$)`},
		{hints: []string{"enable secret ", "enable password ", "tacacs-server key ", "radius-server key "}, pattern: `(?:enable|[a-z]+-server) [a-z]+ (?:\d )?` + given + `["']?[ \t]*(?m:$)`},
		{hints: []string{"user = ", "-u ", "--user "}, inWord: true, before: `(?:^|[\s])$`, pattern: `(?:user =|-u|--user) ?["'][^\s:"'<$@/]+:` + given, check: isArgument},
		{hints: []string{"sasl_passwd"}, pattern: `sasl_passwd\S* +\S+ +[^\s:]+:` + given},
		{hints: []string{"assword:"}, inWord: true, pattern: `assword:[*? ]*["']\s+send(?: --)? ["']([^"'\s\\$]+)`},
		{hints: []string{"--with-token"}, inWord: true, pattern: `--with-token\s*<<<\s*` + given},

		// Arguments of calls, and fields of lines.
		// connect(host or URL, user, password)
		{hints: []string{"getconnection(", "pdo(", "mysqli(", "mysqli_connect(", ".connect(", "sequelize("}, inWord: true, pattern: `[\w.]+\(` + argument + argument + last, check: isArgument},
		{hints: []string{".connect("}, inWord: true, pattern: `\.connect\(\s{0,4}["'][\w$]+/([^"'@\s]+)@`}, // Oracle
		{hints: []string{"authprovider(", "callbackhandler(", "basic_auth(", "credentials(", "passwordauthentication("}, inWord: true, // user, password
			pattern: `\w+\(` + argument + `\s{0,4}(?:\w+\()?["']([^"'\n]+)["']`, check: isArgument},
		{hints: []string{"<auth-user-pass>"}, pattern: `<auth-user-pass>\s*\S+\s*\n\s*(\S+)\s*\n\s*</`},
		{kind: "cookie", hints: []string{"wordpress_logged_in", "wordpress_sec_"}, pattern: `\w+=([\w%.|-]{40,})`},
		{kind: "secret", hints: []string{"totp", "otp ", "2fa ", "mfa "}, pattern: `(?i:[a-z0-9]+)[^\n]{0,60}?\b([A-Z2-7]{16,})\b`, check: isRandom},
		{hints: []string{"@tcp(", "@unix("}, inWord: true, before: `[\w-]:([^\s"'` + "`" + `:]+)$`, pattern: `()`}, // user:password@tcp(host)
		{hints: []string{"sp_addlogin", "sp_password"}, pattern: `\w+\s{1,4}(?:@\w+\s?=\s?)?N?'[^'\n]*'\s?,\s?(?:@\w+\s?=\s?)?N?'([^'\n]+)'`},
		{hints: []string{"identified by "}, pattern: `(?i:identified by) ([^\s"';,]+)`, check: isArgument},                                                                // a word is prose
		{hints: []string{" on >"}, inWord: true, before: `user \S+$`, pattern: ` on >(\S+)`},                                                                              // Redis: user shop on >password
		{hints: []string{" * "}, before: `(?:^|\n)["'\w.@-]+$`, inWord: true, pattern: ` \* ["']?([^"'\s*]+)["']? +(?:\*|[\d.]+)`, check: isArgument},                     // chap-secrets: user * password *
		{hints: []string{"]:25", "]:465", "]:587", "]:2525"}, inWord: true, before: `\[[\w.-]+$`, pattern: `\]:\d+\s{1,8}[^\s:]+:(\S+)`},                                  // sasl_passwd: [host]:587 user:password
		{hints: []string{":5432:", ":5433:", ":6432:", ":*:"}, inWord: true, before: `[\w.*-]$`, pattern: `:(?:\d+|\*):[\w*-]+:[\w*.@-]+:([^\s:"']+)`, check: isArgument}, // .pgpass: host:port:database:user:password
		{kind: "authorization", hints: []string{"digest username="}, pattern: `(?i:digest) [^\n]*?response=\\?"([0-9a-f]{32,128})\b`},
		{kind: privateKey, hints: []string{"pfx", "p12", "pkcs12"}, pattern: `(?:pfx|p12|pkcs12)[\w-]{0,20}\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(MII[A-Za-z0-9+/]{60,}={0,2})`},
	}
	for _, of := range options {
		all = append(all, rule{hints: strings.Split(of.programs, ","), pattern: `\w[\w.-]*` + behind + of.option + given})
	}
	for i := range all {
		all[i].kind = cmp.Or(all[i].kind, "password")
		if all[i].check == nil {
			all[i].check = isGiven
		}
	}
	return all
}
