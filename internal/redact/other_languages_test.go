package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A value after each name is found, in a sentence and after a colon; a sentence without a value stays.
func TestNamesInOtherLanguages(t *testing.T) {
	for _, of := range foreignNames {
		for name := range strings.FieldsSeq(of.names) {
			name = strings.ReplaceAll(name, "_", " ")
			for _, before := range []string{"» " + name + ": ", "» " + strings.ToUpper(name) + " → "} {
				value := made(24, alnum)
				clean, kinds := Text(before + value + " …")
				require.NotContains(t, clean, value, before)
				require.Len(t, kinds, 1)
			}
			for _, spelling := range spellings(name) {
				clean, _ := Text("» " + strings.ReplaceAll(strings.ToUpper(spelling), " ", "_") + "_ANNA=swordfish")
				require.NotContains(t, clean, "swordfish", spelling)
			}
			for _, text := range []string{name + ": OAuth2 / SHA256", name + " 2024-11-21 v1.2.3 lock_timeout UTF-8", name + "\n\n" + made(24, alnum)} {
				clean, _ := Text(text)
				require.Equal(t, text, clean)
			}
		}
	}
}

func TestSecretsInOtherLanguages(t *testing.T) {
	for _, x := range []example{
		{"Lösenordet till databasen är ", "mK8!vQz2Lp", ", byt det snart"},
		{"Passordet for testserveren er ", "Zt4hW9qLx2", ""},
		{"Heslo k databázi je ", "q7Rw2Nv8Xk", ", nikomu ho neříkej"},
		{"Salasana: ", "vaihda7!", ""},
		{"A jelszó ", "B3x9Kd7Qm1", " a tesztgépen"},
		{"Kata sandi basis data: ", "rahasia#81", ""},
		{"Mật khẩu máy chủ là ", "Hn5!tq8Wz3", ""},
		{"รหัสผ่านของเซิร์ฟเวอร์คือ", "Bk9#wq4Zt7", "ครับ"},
		{"סיסמת השרת היא ", "Jq6Vx2Lm9K", ""},
		{"सर्वर का पासवर्ड ", "Rw8$kq3Zx5", " है"},
		{"Пароль до бази: ", "Kz4Vm8Qx1r", ""},
		{"ПАРОЛЬ: ", "winter91!", ""},
		{"Ο κωδικός είναι ", "Ew3Zk9Qv5t", ""},
		{"گذرواژه سرور ", "Tq7Lw2Xm8z", " است"},
		{"令牌是", "5130d50a8be554f9aec9261ef41f61c42fb42908", "，别外传"},
		{"登录密码改成了「", "zhang#8812", "」"},
		{"Le jeton d’accès est « ", "c68becb97f2e51b1bd82387975b0b4e1b56c854d", " »"},
		{"La contraseña=", "abril2024!", ""},
		{"A senha é \"", "p0rtal#Sul", "\""},
		{"Il token del gateway è ", "d1f5a9c37be24680", "."},
		{"DB password는 ", "Girafa!27kk", " 입니다"},
		{"パスは忘れた、DBのpasswordを", "Zebra27!kk", "に変更した"},
		{"测试库的password是", "Zebra77kk", "，别外传"},
		{"API keyは", "Zq81mNx2LkP0vB", "です"},
		{"ID/PW : shop / ", "Zebra77kk", ""},
		{"senha:\n", "Tamandua!89x", "\nporta 8080"},
		{"o segredo é ", "Zq81mNx2LkP0vB", ""},
		{"JWT_SEGREDO=", "tucanoverde", ""},
		{"비밀번호 ", "Girafa13kk", " 로 접속"},
		{`{"senha":"`, "Girafa2024", `","user":"bob"}`},
		{`{"비밀번호":"`, "Girafa!27kk", `"}`},
		{`{"パスワード":"`, "Zebra77kk", `","id":7}`},
		{"SENHA_DB=", "Girafa2024", "\nPORT=8080"},
		{"SENHA=", "tucanoverde", ""},
		{"CLAVE_DB=", "Zebra77kk", ""},
		{"backup --senha ", "Zebra77kk", " --all"},
		{"$nouveauMotDePasse = '", "Zebra77kk", "';"},
		{"motdepasse=", "colibri", " ip=10.0.0.4"},
		{"db.mot-de-passe: ", "colibri", ""},
		{"KullaniciSifre = \"", "Zebra77kk", "\""},
		{"ŞİFRE: ", "Zebra77kk", ""},
		{"const katasandi = '", "Zebra77kk", "'"},
		{"MAT_KHAU=", "colibri", ""},
	} {
		clean, kinds := Text(x.before + x.secret + x.after)
		require.NotContains(t, clean, x.secret)
		require.True(t, strings.HasPrefix(clean, x.before) && strings.HasSuffix(clean, x.after), clean)
		require.NotEmpty(t, kinds)
	}
	for _, text := range []string{
		"Lösenordet måste ha minst 12 tecken och sparas med Argon2id", "密码用PBKDF2加密，长度至少12位", "パスワードはbcrypt12でハッシュ化し、Postgres16に保存する",
		"토큰은 Keycloak26에서 발급하고 30분 뒤 만료된다", "Токен проверяет сервис auth-v2, ключ sort:hub:7 живёт 60s", "La clave primaria de la tabla es pedido_id2",
		"Hasło: zapytaj administratora wszystkich systemów", "Şifreler veritabanında SHA-512 ile saklanır", "O token expira em 15min, veja docs/auth2.md", "كلمة المرور تُحفظ في Vault 1.15",
		"Mot de passe oublié : voir https://example.org/reset?x=1", "clé étrangère vers order_line2", "a senha fica em config/db2.yaml",
		"password는 Keycloak26으로 관리한다", "tokenはPostgres16に保存する", "token은 OAuth2 방식이고 Keycloak26에서 발급한다", "password是必填项，用PBKDF2加密", "ID/PW : shop / 관리자",
		`{"senha":"obrigatória","min":8}`, `{"비밀번호":{"type":"string","minLength":8}}`, "SENHA_ARQUIVO=config2.txt", "const senha = gerarSenha2()", "SENHA=$DB_SENHA2", "senha: string | null",
		"Heslo: čtvrtek vzdělávání", "mot_de_passe: votre_mot_de_passe", "lire(motDePasse: motDePasseSaisi)", "tamsifrele: metin4", "$motDePasse = $_POST['motDePasse2'];", "mot_de_passe_hash = bcrypt12", "SELECT mot_de_passe FROM clients2", "wachtwoord: verplicht veld", "кодировка NAME для фраз-паролей PKCS#12", "비밀번호는 Keycloak26 으로 관리한다", "비밀번호 Keycloak26으로 관리", "비밀번호 Argon2id 로 저장", "토큰 Keycloak26! 확인", "o segredo do sucesso é sono8horas", "秘密はVault2に保存する", "senha:\nPostgres16", "비밀번호:\n관리자2! 에게 문의",
	} {
		clean, kinds := Text(text)
		require.Equal(t, text, clean)
		require.Empty(t, kinds)
	}
}

// The value that a sentence calls the password is judged alike in every language, whether it comes before or after the
// name.
func TestStatedAlikeInEveryLanguage(t *testing.T) {
	values := strings.Fields("Verano2026 Verano2026! verano2026 Admin123! sakura2026! Qwerty12345 hunter2x! GatoNegro99 Gato2Negro9 Gato-Negro-99! Gato-Negro-99")
	for _, sentence := range []string{
		"the password is §", "das Passwort ist §", "le mot de passe est §", "la contraseña es §", "a senha é §", "la password è §", "het wachtwoord is §", "passordet er §", "密码是§", "パスワードは§です",
		"la contraseña de la base es «§»", "el nuevo mot de passe est : §", "测试库的密码为§，别外传", "パスワードは「§」です", "비밀번호는 §입니다",
		"use § as the password", "nimm § als Passwort", "utilise § comme mot de passe", "usa § como contraseña", "use § como senha", "usa § come password", "gebruik § als wachtwoord", "bruk § som passord", "用§作为密码", "§をパスワードに使う",
	} {
		for _, value := range values {
			clean, kinds := Text(strings.Replace(sentence, "§", value, 1))
			assert.NotContains(t, clean, strings.TrimRight(value, "!"), sentence)
			assert.NotEmpty(t, kinds)
		}
	}
	for _, sentence := range []string{"the password is §", "das Passwort ist §", "le mot de passe est §", "la contraseña es §", "a senha é §", "la password è §", "het wachtwoord is §", "passordet er §", "密码是§", "パスワードは§です"} {
		for _, word := range strings.Fields("obligatoria abgelaufen incorrect SHA256 bcrypt12 UTF-8 2024-11-21 v1.2.3 1.2.3 password.go `config.yaml` `db2.yaml` docs/auth2.md user_id2 $DB_PASS2 https://example.org/a1") {
			text := strings.Replace(sentence, "§", word, 1)
			clean, _ := Text(text)
			assert.Equal(t, text, clean)
		}
	}
}
