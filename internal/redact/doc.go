// Package redact removes secrets and private parts from a text before it is stored.
//
//	deploy with ghp_… and <private>the old key was x</private>, please
//	deploy with [redacted: GitHub token] and [private], please
//
// What is removed:
//
//	private parts     between <private> and </private>
//	private keys      PEM blocks, whole or cut off at either end
//	known secrets     a format that its maker documents
//	named values      password=…, "api_key": "…", Setenv("DB_PASSWORD", "…")
//	options           curl -u me:…, mysql -p…, sshpass -p …
//	sentences         the password is …, use … as the API key
//	other languages   パスワードは…です, la contraseña es …
//
// Guarantees: a text in which nothing is found comes back byte for byte. The text around a
// secret is kept. Redacting twice is redacting once. The time is linear in the length.
// Nothing is compiled or built before the first call, and a regular expression only when
// the beginning of its secret was seen.
//
// If a private part is in doubt, more is removed. Whether the value of a name, option or
// sentence is a secret is judged by its characters, and the surer the place, the less it has to
// show: PASSWORD=opensesame is one, "the password is opensesame" is not. A value that may be
// a word, a placeholder or an expression stays. It ends where its format ends it.
//
// Non-goals: it finds no secret that looks like an ordinary word in a sentence, none without
// a known format, a telling name, option or sentence beside it, none that is encoded, and no
// names, addresses or numbers of people.
//
// The rules are its own because the maintained set that can be imported, gitleaks
// v8.30.1, takes 34 ms to compile its rules, 1 to 2 ms at the start of a program even
// if unused, 62 modules and 11 MB, more than a hook may cost.
package redact
