package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/text"
)

// namesOfSecrets lists the words for secrets in other languages than English, in lower case
// and without endings. An underscore is a space.
var namesOfSecrets = []struct{ kind, names string }{
	{"password", `密码 密碼 口令 暗号 パスワード パスフレーズ 暗証番号 비밀번호 암호 패스워드 비번 парол лозинка
		mot_de_passe mots_de_passe mdp contraseña contrasena senha palavra-passe parola şifre sifre hasło hasła hasłem hasle haslo haslem wachtwoord
		lösenord losenord passord adgangskode heslo hesla salasana jelszó jelszav kata_sandi passwörter kennwörter mật_khẩu κωδικό συνθηματικ
		كلمة_المرور كلمة_السر كلمة_مرور الرقم_السري گذرواژه رمز_عبور סיסמה סיסמא סיסמת पासवर्ड कूटशब्द รหัสผ่าน`},
	{"token", `令牌 トークン 토큰 токен jeton belirteç belirteci رمز_الوصول رمز_الدخول رمز_المصادقة توكن אסימון टोकन โทเคน διακριτικό`},
	{"secret", `geheimnis segredo segreto sekret hemlighet hemmelighe tajemství salaisuus rahasia bí_mật 秘密 schlüssel_lautet 凭证 凭据 憑證 シークレット 시크릿 секрет identifiants_: credenciales credenciais credenziali`},
	{"API key", `密钥 密鑰 金鑰 秘密鍵 api-schlüssel apischlüssel wlan-schlüssel lizenzschlüssel zugangsschlüssel zugriffsschlüssel geheimer_schlüssel privater_schlüssel キー 비밀키 인증키 액세스_키 api_키 api키 ключ clé_ cle_d' clave chave chiave klucz sleutel anahtar nyckel nøkkel kulcs مفتاح מפתח कुंजी`},
}

// The value of a secret is sought so far behind its name, in the same sentence.
const maxBehindName = 120 // bytes

// otherLanguages returns a rule for each name of a secret in another language.
func otherLanguages() (rules []rule) {
	for _, of := range namesOfSecrets {
		for name := range strings.FieldsSeq(of.names) {
			name = strings.ReplaceAll(name, "_", " ")
			first, size := utf8.DecodeRuneInString(name)
			hints := slices.Compact([]string{name, string(unicode.ToUpper(first)) + name[size:], strings.ToUpper(name)})
			hasEnding := unicode.In(first, unicode.Latin, unicode.Cyrillic, unicode.Greek)
			rules = append(rules, rule{kind: of.kind, hints: hints, inWord: !unicode.Is(unicode.Latin, first), find: behindName(of.kind, name, hasEnding)})
		}
	}
	return rules
}

var (
	// asciiWords matches the words of a sentence that may be a value.
	asciiWords = text.Lazy(`[!-~]+`)

	sentenceEnd = text.Lazy(`\n|\. |。|？ |！ |؟|।`)
)

// cjk matches a particle that is written directly on an English name: password는, tokenは, password是.
var cjk = text.Lazy(`^[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]`)

// particles are between a name and its value where no space does.
var particles = strings.Fields(": = ： ＝ は が を 是 为 為 成 는 은")

// notSaid matches what is behind a word that such a sentence does not give as the value: …に保存する, …에 저장한다,
// or behind the name of a function.
var notSaid = text.Lazy(`^ ?(?:で[^すしあ]|に(?:[^変設更しな]|変換)|[をとのがはもへや]|から|より|[에와과의를을]|으?로 ?[^ 바변설접로]|\(\))`)

// saidBehind matches what says behind a word right behind a name that it is the value: 비밀번호 … 로, パスワード …です.
var saidBehind = text.Lazy(`^!? ?(?:으?로|입니다|です)`)

// compound matches what makes a longer word of a name, which is then not what a value is used as: 密码库, パスワード管理.
var compound = text.Lazy(`^(?:[库庫管缓緩存加策机機服生哈保]|[ァ-ヶ])`)

// behindName returns a finder of the value that is assigned to a name, of the first one behind it that looks
// like a secret, in the same sentence, or of the one in front of it that is used as the secret. Any word may
// be between them, so the value has to look like no name, except where the sentence states it. A name of an
// alphabet may have an ending, or be part of a longer one: пароль, DB_SENHA_PROD.
func behindName(kind, name string, hasEnding bool) finder {
	isSure := isSecretValue
	if kind == "password" || kind == "secret" {
		isSure = isSharedSecret
	}
	isSecret := func(value string, in place) bool {
		return in == sure && isSure(value, sure) || (in > prose || isBeside(value, in)) && isForeignValue(value, kind, true)
	}
	return func(text string, hint, from int) (span, bool) {
		at := hint + len(name)
		for hasEnding && at < len(text) && at-hint < maxName && (isName(text[at]) || text[at] >= utf8.RuneSelf) {
			at++
		}
		n, _ := nameAt(text, hint, from)
		n.end = at
		if v, ok := assignedValue(text, n, from, isSecret); ok && !isAbout(text[hint+len(name):at]) {
			return v, true
		}
		sentence := text[at:min(len(text), at+maxBehindName+maxValue)]
		if end := sentenceEnd().FindStringIndex(sentence); end != nil {
			sentence = sentence[:end[0]]
		}
		for _, place := range asciiWords().FindAllStringIndex(sentence, -1) {
			if place[0] >= maxBehindName {
				break
			}
			word := sentence[place[0]:place[1]]
			start := at + place[1] - len(strings.TrimLeft(word, ":="))
			v := bareWord(text, span{start, at + place[1]})
			between, after := text[at:start], text[v.end:]
			isSaid := isStating(between) || strings.TrimSpace(between) == "" && saidBehind().MatchString(after)
			if isForeignValue(text[v.start:v.end], kind, isSaid && !notSaid().MatchString(after)) {
				return v, true
			}
		}
		v, ok := usedAs(text, max(from, hint-maxLooked/2), hint)
		ok = ok && !compound().MatchString(text[at:]) // …をパスワードに使う, but not …をパスワード管理に使う
		return v, ok && isForeignValue(text[v.start:v.end], kind, true)
	}
}

// isStating reports whether what is between a name and a word says that the word is the value: it ends in
// a particle, or in its first verb.
func isStating(between string) bool {
	between = strings.TrimRight(between, " \"'`«„「“")
	if slices.ContainsFunc(particles, func(p string) bool { return strings.HasSuffix(between, p) }) {
		return true
	}
	words := strings.Fields(strings.ToLower(between))
	isVerb := func(word string) bool { return slices.Contains(verbs, word) }
	return len(words) > 0 && slices.IndexFunc(words, isVerb) == len(words)-1 && !strings.ContainsAny(between, ",;")
}

// isForeignValue reports whether a word in a sentence of another language is a secret. The letters
// of its words follow each other in other ways than in English, so letters alone prove nothing.
func isForeignValue(value, kind string, isSaid bool) bool {
	const marks = "!@#$%^&*+~="
	if !hasDigit(value) && !strings.ContainsAny(value, marks) || !isStated(value, kind) {
		return false
	}
	isFile := strings.ContainsAny(value, "/.") && !strings.ContainsAny(value, marks) && (strings.ToLower(value) == value || strings.ToUpper(value) == value)
	return isSaid && kind == "password" || isLikeNoName(value) && !isFile
}
