package redact

import (
	"slices"
	"strings"

	"whence/internal/lazyregexp"
)

// Values that are not secrets. They may refer to one, like a variable, or be a word about one; any
// other value of the name of a secret is removed, whatever it looks like.

const minGivenBytes = 3 // of a password

// plainValues are values that are not secrets, in lower case: types, states, placeholders.
var plainValues = strings.Fields(`
	read write key value string str text char varchar byte bytes []byte rune int integer number numeric float bool boolean object any array list dict map struct enum uuid buffer
	uint8array varchar2 usize size_t c_char wchar_t bytea bytearray nsstring nsdata chararray cstr cstring osstr osstring pathbuf charsequence nonnull unsigned mut dyn impl readonly final static optional nullable interface{} void type field column json
	true false yes no on off null nil none undefined nan unset empty blank default n/a na tbd todo fixme
	required needed necessary mandatory missing invalid valid expired wrong incorrect correct unknown disabled enabled hidden masked redacted removed
	omitted unchanged changed rotated revoked rejected accepted failed denied ok okay same different inherit include omit same-origin
	protected encrypted hashed plain plaintext cleartext stored generated random custom
	new await async function func fn lambda const let var if not and or is are was has to for from in of with the this that self super return typeof
	must be should can cannot at please your enter when by only it you a an its there no longer see ask same use
	user username guest postgres root admin example sample dummy placeholder changeme change-me change_me replace-me replace_me replaceme foo bar baz
	basic bearer digest oauth oauth2 jwt saml ldap oidc pat hmac rsa sha256 base64 base64url strict lax
	login plain md5 cram-md5 scram trust peer kerberos gssapi ntlm negotiate xoauth2 sso mtls tls ssl starttls cert apikey iam
	flag option argument parameter variable header file stdin prompt env
	weak strong short long secure same secret
	pflicht pflichtfeld erforderlich keine leer ungültig abgelaufen falsch gesperrt geheim verplicht geen obligatoire requis invalide expiré aucun obligatoria requerida
	obligatorio requerido ninguna ninguno obrigatória obrigatório nenhuma obbligatoria obbligatorio scaduta nessuna wymagane brak buraya_yazin buraya_yazın 여기에_입력 必須 必填 必填项 필수 обязательно нет`)

// published are the sample secrets of public documentation.
var published = strings.Fields(`AKIAIOSFODNN7EXAMPLE AKIAI44QH8DHBEXAMPLE ASIAIOSFODNN7EXAMPLE
	wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY
	eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c
	sk_test_4eC39HqLyjWDarjtT1zdp7dc your-256-bit-secret
	Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==`)

var (
	// reference matches a whole value that refers to something.
	reference = lazyregexp.New(`^(?:` + strings.Join([]string{
		`\$(?:[A-Z_][A-Z0-9_]*|[a-z_][a-z0-9_]*|[A-Za-z_]+)(?:(?:\.|->|:|\[).*)?`,                          // $X
		`[$#@%]\{.*|\$\(.*|\{\{.*|<%.*`,                                                                    // ${X…}, $(…), #{…}, {{ … }}
		`<[^<>]*>|<[\pL\pM _-]*|&lt;.*|@[A-Za-z_]+\d?`,                                                     // <…>
		`%[A-Za-z_]+%|%[-+#\d.]*[a-z]|%\(\w+\)[a-z]`,                                                       // %X%, %s, %(x)s
		`\{[^{}]*\}|\[[^\[\]]*\]|\([^()]*\)|[\[{(][a-zA-Z_]*`,                                              // {x}, [x]
		`[*xX.•…#_?:—–|-]+`,                                                                                // ***
		`!(?:vault|Ref|Sub|GetAtt|ImportValue|secret|env_var|reference|include)`,                           // tags of YAML
		`(?:\w[\w+.-]*:)?//.*|arn:aws.*|(?:env|file|fd):.*|ENC\[.*|vault:.*`,                               // addresses of secrets
		`(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@-]+[/\\])*[\w.@-]+\.\w{1,10}|(?:~|\.{1,2})/.*|[A-Za-z]:\\.*`, // paths
		`[\w.@-]+\.(?:txt|json|ya?ml|toml|pem|key|crt|p12|pfx|jks|env|conf|cfg|ini|log|md|go|py|js|ts)`,
		`/(?:etc|run|var|home|Users|tmp|opt|usr|mnt|srv|root|app|data|dev|proc|secrets?|workspace)/.*`,
		`\$(?:2[abxy]|argon2\w*|[156y]|apr1|scrypt|pbkdf2[\w-]*)\$.*`,    // hashes of passwords
		`-?\d{1,6}(?:[a-z]{1,2}|%|/[a-z]{1,6})?`,                         // 12, 30s
		`[&*!-]*[A-Za-z_](?:[\w.]|\?\.)*\((?:.*\)(?:[.()\[\];,?!].*)?)?`, // f(…)
		`--[a-z].*|\\.*|\[\d*\]\S*|[a-z_]{1,24}=`,
		`[A-Za-z]\w*[a-z0-9](?:Key|Token|Secret|Password|Pass)`,
		`(?:process\.env|import\.meta\.env|os\.environ|secrets|env|vars|config|settings|self|this)\.[\w.]+`,
		`[&*!-]*[A-Za-z_]+(?:(?:\.|->|::|\?\.|\.\.\.)[A-Za-z_]+)+[;,)]*`, // os.environ
		`[&*!-]*[A-Za-z_][\w.]*\[.*\][\w.()\[\];,?!]*`,                   // x[0]
		`[&*]{0,2}[A-Za-z_]+(?:(?:::|\.)\w+)*<.*>`,                       // Option<String>
		`[iuf]\d{1,3}`,
		`(?:[A-Za-z0-9]{0,8}[_-]){0,4}[A-Za-z0-9]{0,8}(?:\.{3,}|…|\*{3,}|•{3,})[\w-]{0,8}`, // sk-…4f2a
		`#[0-9a-fA-F]{6}`, // a color
	}, "|") + `)$`)

	// secretWord matches a word that names a secret.
	secretWord = lazyregexp.New(longWords + `|(?:^|[^a-zA-Z])(?i:key|auth|pass|pw|pat|pin)s?(?:$|[^a-zA-Z])|[a-z](?:Key|Auth|Pass)(?:$|[^a-z])|(?i:api|access)[ _-]?(?i:key)|passwor[dt]`)

	version = lazyregexp.New(`[-_.]v?\d{1,2}$`)
)

// isHarmless reports whether a value is not a secret itself: it refers to one, is a word of the tables, or names a
// secret, like its label or key.
func isHarmless(value string) bool {
	value = strings.TrimRight(value, `,;\`)
	return value == "" || slices.Contains(published, value) || isType(value) || strings.Contains(strings.ToLower(value), filler) ||
		reference().MatchString(value) || namesSecret(value) || hasPlainWord(value)
}

// hasPlainWord reports whether a value has several words, one of which is in the table.
func hasPlainWord(value string) bool {
	return strings.Contains(value, " ") && slices.ContainsFunc(strings.Fields(strings.ToLower(value)), isWord)
}

// sigils matches what may surround the name of a type: &'a str, *const char, []byte, string | null.
var sigils = lazyregexp.New(`^(?:[&*?]|\[[\w; ]*\]|'\w+ |(?:const|mut|dyn|impl) )+|[.!?)]+$|\[\]`)

// isType reports whether a value is a word of the table, or several of them joined by | as in a declaration.
func isType(value string) bool {
	for word := range strings.SplitSeq(value, "|") {
		if !isWord(strings.ToLower(sigils().ReplaceAllLiteralString(strings.TrimSpace(word), ""))) {
			return false
		}
	}
	return true
}

func isWord(value string) bool { return slices.Contains(plainValues, value) }

// namesSecret reports whether a value names a secret: newPassword, "Enter your password", db-secret-2, votre_mot_de_passe.
func namesSecret(value string) bool {
	value = version().ReplaceAllString(value, "")
	if len(value) >= 60 || hasDigit(value) || strings.ContainsAny(value, "!@#$%^~") {
		return false
	}
	isIn := func(name foreignSpelling) bool { return strings.Contains(value, name.spelling) }
	isNamed := secretWord().MatchString(value)
	value = strings.ToLower(value)
	return isNamed || slices.ContainsFunc(foreignSpellings(), isIn)
}
