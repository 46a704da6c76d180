package redact

import (
	"slices"
	"strings"
	"sync"

	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// Names that say that their value is a secret: DB_PASSWORD, clientSecret, "API key", пароль.

// secretNames lists the beginnings of words that can make a name that of a secret, and how to judge the name.
var secretNames = []struct {
	kind    string
	hints   []string
	accepts func(name string, at int) bool // judges a name by the offset of the hint in it
	check   func(value string) bool        // judges a value; nil accepts any
}{
	{"password", []string{"pass", "pwd", "kennwort", "pw=", "pw:", "pw ", "pw\"", "rootpw", "bindpw", "psk", "authtok"}, isPasswordName, nil},
	{"secret", []string{"secret", "credential", "creds"}, isLongName, nil},
	{"token", []string{"token", "pat"}, isTokenName, nil},
	{"API key", []string{"key"}, isKeyName, nil},
	{"API key", []string{"_key="}, isKeyVariable, nil},
	{"API key", []string{"_key = '", `_key = "`, "_key: '", `_key: "`}, isKeyVariable, func(value string) bool { return len(value) >= 20 && isMade(value) }},
	{"secret", []string{"_auth", "-auth", "_salt"}, isAuthName, nil},
}

// longWords matches words that make a name that of a secret wherever they are in it, unless its end says
// that the value is only about a secret: token_count.
const longWords = `(?i:password|passwd|passphrase|passwort|kennwort|passcode|pwd|rootpw|bindpw|authtok|secret|credential|creds|token)`

var longWord = lazyregexp.New(`^` + longWords)

func isLongName(name string, at int) bool {
	word := longWord().FindString(name[at:])
	rest := name[at+len(word):]
	isPair := strings.EqualFold(name, "credentials") || strings.EqualFold(name, "creds")
	return word != "" && !isPair && !isAbout(rest) && (rest != "s" || !strings.EqualFold(word, "token")) // tokens are counted
}

// gluedBefore are words that are written together with "pass".
var gluedBefore = strings.Fields("db user smtp ftp mail admin root my sql pg ssh proxy remote login wifi ldap store key sudo become")

func isGlued(before string) bool {
	return slices.ContainsFunc(gluedBefore, func(word string) bool { return hasSuffixFold(before, word) })
}

// isPasswordName accepts smtp_pass, dbpass and PIN, but neither bypass nor pass_rate.
func isPasswordName(name string, at int) bool {
	return isLongName(name, at) || endsName(name, at, "pw") || endsName(name, at, "psk") || hasPrefixFold(name[at:], "pass") &&
		(endsName(name, at, "pass") || isGlued(name[:at]) && endsName(name[at:], 0, "pass"))
}

// ordinaryTokens are the words before "token" that make it a part of a text, or the mark of a page or a task.
var ordinaryTokens = strings.Fields(`next page next_page nextpage continuation cancel cancellation start stop end eos bos pad unk sep cls mask
	special lex lexer syntax css design sync resume total max min input output prompt completion reasoning first last current prev previous`)

// isTokenName accepts a name with "token", and "pat", a personal access token, as its last word.
func isTokenName(name string, at int) bool {
	if slices.Contains(ordinaryTokens, strings.ToLower(strings.TrimRight(name[:at], "_-"))) {
		return false
	}
	return isLongName(name, at) || endsName(name, at, "pat") && (at > 0 || isVariable(name)) // else a pattern
}

// secretKeys are the words before "key" that make it a secret. In a variable of the environment, all words do
// except ordinaryKeys.
var (
	secretKeys = strings.Fields(`api access private priv auth authentication encryption encrypt decryption signing sign account
		master deploy client server storage subscription consumer app application admin service shared wifi wlan
		license preshared nonce fernet jwt hmac aes rsa ssh ssl tls webhook session secret root sas crypto symmetric unseal`)
	ordinaryKeys = strings.Fields(`public pub primary foreign sort partition cache row object map hash group index
		unique composite idempotency dedup range translation message lookup registry routing event image build`)
)

func isKeyName(name string, at int) bool {
	qualifier := lastWord(strings.TrimRight(name[:at], "_-"))
	if qualifier == "" || isAbout(name[at+len("key"):]) || !wordEnds(name, at+len("key")) {
		return false
	}
	return slices.ContainsFunc(secretKeys, func(word string) bool { return strings.HasSuffix(qualifier, word) }) // myapikey
}

// isKeyVariable accepts MAILER_KEY=…, a variable of the environment.
func isKeyVariable(name string, at int) bool {
	return isVariable(name) && strings.HasSuffix(name, "_KEY") && !slices.Contains(ordinaryKeys, lastWord(name[:at]))
}

// isAuthName accepts TWILIO_AUTH, X-Internal-Auth and AUTH_SALT: the last word of a variable or of a header.
func isAuthName(name string, at int) bool {
	isHeader := isCapital(name[0]) && isCapital(name[at+1]) && name[at] == '-'
	return at > 0 && at+len("_auth") == len(name) && (isVariable(name) || isHeader)
}

// spokenKey returns a name of two words: API key.
func spokenKey(text string, hint, from int, n span) (span, bool) {
	if !hasPrefixFold(text[hint:], "key") || n.start != hint || n.end-hint > len("keys") || !strings.HasSuffix(text[from:hint], " ") {
		return n, false
	}
	before, _ := nameAt(text, hint-1, from)
	return span{before.start, n.end}, isKeyName(text[before.start:hint-1]+"_"+text[hint:n.end], hint-before.start)
}

// keptEnds are words that may end a name after the word for a secret: DB_PASS_PROD is still a password.
var keptEnds = strings.Fields("value data b64 base64 prod production dev staging test live old new")

// endsName reports whether the word at an offset is a whole word of a name, and its last except for keptEnds.
func endsName(name string, at int, word string) bool {
	if !hasPrefixFold(name[at:], word) || at > 0 && isAlnum(name[at-1]) && (!isCapital(name[at]) || isCapital(name[at-1])) {
		return false
	}
	rest := strings.Trim(name[at+len(word):], "_-0123456789")
	return rest == "" || wordEnds(name, at+len(word)) && slices.Contains(keptEnds, strings.ToLower(rest))
}

// wordEnds reports whether a word of a name ends before an offset.
func wordEnds(name string, at int) bool {
	return at == len(name) || !isLetter(name[at]) || isCapital(name[at]) && !isCapital(name[at-1])
}

// isVariable reports whether a name is written like a variable of the environment.
func isVariable(name string) bool {
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// about are the last words of names whose value is only about a secret.
var about = strings.Fields(`izer ize ized izing count counts total type types name names id ids url urls
	uri path paths dir file files filename field length len size limit budget usage used
	ref refs label title text hint help message description regex regexp pattern policy
	expires expiry expiration ttl at in by prefix suffix format version digest checksum
	hash endpoint header class kind pos position index line lines max min manager smanager provider
	env var variable arn store backend mode status state placeholder set list map input
	stdin salt nonce scope scopes audience issuer user username email keyid encryption string strength rule rules reset check checker table color colors colour colours style icon width height
	primaria primária foranea foránea estrangeira esterna primaire étrangère etrangere obcy główny glowny kelime felt feld champ campo alan veld uzunluk longueur longitud länge`)

// isAbout reports whether the rest of a name, after the word for a secret, says that the value is only
// about the secret: token_count, passwordFile.
func isAbout(rest string) bool {
	return slices.Contains(about, lastWord(strings.TrimRight(rest, "_-0123456789")))
}

// finalWord matches the last word of a name. It follows a mark, begins with a capital, or is in
// capitals.
var finalWord = lazyregexp.New(`(?:[A-Z]?[^A-Z_-]+|[A-Z]+)$`)

// foreignNames lists the words for secrets in languages other than English, in lower case
// and without endings. An underscore is a space.
var foreignNames = []struct{ kind, names string }{
	{"password", `密码 密碼 口令 暗号 パスワード パスフレーズ 비밀번호 암호 패스워드 비번 парол лозинка
		wlan-schlüssel wlan-schluessel wlan-key wifi-schlüssel wi-fi-schlüssel wifi-schluessel wi-fi-schluessel netzwerkschlüssel netzwerkschluessel wifi-code wlan-code clé_wifi code_wifi code_du_wifi clave_wifi clave_del_wifi clé_du_wifi chave_do_wifi chiave_del_wifi klucz_do_wifi chave_wifi chiave_wifi wifiのキー wi-fiのキー wifiのパス wi-fiのパス 暗証番号
		mot_de_passe mots_de_passe mdp contraseña contrasena senha palavra-passe parola şifre sifre hasło hasła hasłem hasle haslo haslem wachtwoord
		lösenord losenord passord adgangskode heslo hesla salasana jelszó jelszav kata_sandi passwörter kennwörter mật_khẩu κωδικό συνθηματικ
		كلمة_المرور كلمة_السر كلمة_مرور الرقم_السري گذرواژه رمز_عبور סיסמה סיסמא סיסמת पासवर्ड कूटशब्द รหัสผ่าน`},
	{"token", `令牌 トークン 토큰 токен jeton belirteç belirteci رمز_الوصول رمز_الدخول رمز_المصادقة توكن אסימון टोकन โทเคน διακριτικό`},
	{"secret", `geheimnis segredo segreto sekret hemlighet hemmelighe tajemství salaisuus rahasia bí_mật 秘密 schlüssel_lautet 凭证 凭据 憑證 シークレット 시크릿 секрет credenciales credenciais credenziali`},
	{"API key", `密钥 密鑰 金鑰 秘密鍵 api-schlüssel apischlüssel api-schluessel lizenzschlüssel zugangsschlüssel zugriffsschlüssel geheimer_schlüssel geheime_schlüssel privater_schlüssel キー 비밀키 인증키 액세스_키 api_키 api키 ключ clé_ cle_d' clave chave chiave klucz sleutel anahtar nyckel nøkkel kulcs مفتاح מפתח कुंजी`},
}

// foreignSpelling is a spelling of one of the foreignNames. It is not spoken if only programs write it.
type foreignSpelling struct {
	kind, spelling string
	isSpoken       bool
}

var foreignSpellings = sync.OnceValue(func() (all []foreignSpelling) {
	for _, of := range foreignNames {
		for name := range strings.FieldsSeq(of.names) {
			name = strings.ReplaceAll(name, "_", " ")
			for _, s := range spellings(name) {
				all = append(all, foreignSpelling{of.kind, s, !strings.Contains(name, " ") || strings.Contains(s, " ")})
			}
		}
	}
	return all
})

// spellings returns a name and the ways in which programs write it: mot_de_passe, mot-de-passe, motDePasse; and without
// accents, as in contrasena.
func spellings(name string) (all []string) {
	names := []string{name}
	if plain := words.Decomposed(plainLetters.Replace(name)); strings.ContainsFunc(plain, isAccent) {
		names = append(names, strings.Map(withoutAccent, plain)) // which leaves nothing to compose
	} else if words.Decomposed(name) != plain {
		names = append(names, plain)
	}
	for _, name := range names {
		joined := strings.NewReplacer(" ", "", "-", "").Replace(name)
		if strings.HasSuffix(name, " ") {
			joined = name
		}
		all = append(all, name, strings.ReplaceAll(name, " ", "_"), strings.ReplaceAll(name, " ", "-"), strings.ReplaceAll(name, "-", "_"), joined)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

var (
	plainLetters = strings.NewReplacer("ł", "l", "ı", "i", "ø", "o", "đ", "d", "æ", "ae")
)

// isAccent reports whether a character is an accent of a letter in NFD.
func isAccent(r rune) bool { return r >= 0x300 && r <= 0x36f }

func withoutAccent(r rune) rune {
	if isAccent(r) {
		return -1
	}
	return r
}

func lastWord(name string) string { return strings.ToLower(finalWord().FindString(name)) }
