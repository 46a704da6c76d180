// Package redact removes secrets and private parts from a text before it is stored.
//
//	deploy with ghp_… and <private>the old key was x</private>, please
//	deploy with [redacted: GitHub token] and [private], please
//
// What is removed:
//
//	private parts     between <private> and </private>
//	private keys      PEM blocks, whole or cut off at either end
//	formats           what a maker documents; places such as curl -u me:…, mysql -p…
//	manifests         of Kubernetes, whose kind is Secret
//	named values      password=…, "api_key": "…", Setenv("DB_PASSWORD", "…")
//	sentences         the password is …, パスワードは…です, la contraseña es …; passphrases of several words
//
// Guarantees: a text in which nothing is found comes back byte for byte. The text around a
// secret is kept. Redacting twice is redacting once. The time is linear in the length.
// The expression of a format is compiled only when the beginning of its secret was seen.
//
// If a private part is in doubt, more is removed. The value of a name goes whatever it looks like,
// unless it refers to a secret or is a word of a table (harmless.go). In a sentence it has to be more than
// a word. It ends where its format ends it.
//
// Non-goals: it finds no secret that is an unquoted word in a sentence, none without a known format, a
// telling name, option or sentence beside it, none that is encoded otherwise than its format does it, and no
// names, addresses or numbers of people.
//
// The formats of gitleaks are taken as data (formats.txt), since importing it costs more than a hook may.
package redact
