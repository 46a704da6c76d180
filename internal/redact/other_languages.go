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
	{"secret", `geheimnis schlüssel_lautet 凭证 凭据 憑證 シークレット 시크릿 секрет identifiants_: credenciales credenciais credenziali`},
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
			isLatin := unicode.Is(unicode.Latin, first)
			rules = append(rules, rule{kind: of.kind, hints: hints, inWord: !isLatin, find: behindName(of.kind, name, isLatin)})
		}
	}
	return rules
}

var (
	// asciiWords matches the words of a sentence that may be a value.
	asciiWords = text.Lazy(`[!-~]+`)

	sentenceEnd = text.Lazy(`\n|\. |。|？ |！ |؟|।`)
)

// behindName returns a finder of the first value behind a name that looks like a secret, in the same
// sentence. Any word may be between them, so the value has to look like no name, except right behind
// a colon or an equals sign.
func behindName(kind, name string, isLatin bool) finder {
	return func(text string, hint, _ int) (span, bool) {
		at := hint + len(name)
		for isLatin && at < len(text) && (isLetter(text[at]) || text[at] >= utf8.RuneSelf) { // its ending
			at++
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
			between := strings.TrimRight(text[at:start], " \"'«„「")
			v := bareWord(text, span{start, at + place[1]})
			isAssigned := slices.ContainsFunc([]string{":", "=", "：", "＝"}, func(mark string) bool { return strings.HasSuffix(between, mark) })
			if isForeignValue(text[v.start:v.end], kind, isAssigned) {
				return v, true
			}
		}
		return span{}, false
	}
}

// isForeignValue reports whether a word in a sentence of another language is a secret. The letters
// of its words follow each other in other ways than in English, so letters alone prove nothing.
func isForeignValue(value, kind string, isAssigned bool) bool {
	const marks = "!@#$%^&*+~="
	if !hasDigit(value) && !strings.ContainsAny(value, marks) || !isStated(value, kind) {
		return false
	}
	isFile := strings.ContainsAny(value, "/.") && !strings.ContainsAny(value, marks) && (strings.ToLower(value) == value || strings.ToUpper(value) == value)
	return isAssigned && kind == "password" || isLikeNoName(value) && !isFile
}
