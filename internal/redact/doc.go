// Package redact removes secrets and private parts from a text before it is stored.
//
//	deploy with ghp_… and <private>the old key was x</private>, please
//	deploy with [redacted: GitHub token] and [private], please
//
// What is removed:
//
//	private parts     between <private> and </private>
//	private keys      PEM blocks, whole or cut off at either end
//	formats           those that their makers document; places such as curl -u me:…, mysql -p…
//	manifests         of Kubernetes, whose kind is Secret
//	named values      password=…, "api_key": "…", Setenv("DB_PASSWORD", "…")
//	sentences         the password is …, パスワードは…です, la contraseña es …; passphrases of several words
//
// Guarantees: a text in which nothing is found comes back byte for byte. The text around a
// secret is kept. Redacting twice is redacting once. The time is linear in the length.
// The expression of a format is compiled only when the beginning of its secret was seen.
//
// If it is unclear where a private part ends, more is removed. The value of a name is removed whatever it
// looks like, unless it refers to a secret or is a word of a table (harmless.go). In a sentence, a value has
// to look like more than a word. It ends where the format around it ends it.
//
// Non-goals: the package does not find a secret that is an unquoted word in a sentence; that has neither a
// known format nor a telling name, option or sentence next to it; or that is encoded in another way than its
// format. Nor does it look for names, addresses or numbers of people.
//
// The formats of gitleaks are copied as data (formats.txt), because importing it would cost more time than a
// hook has.
package redact
