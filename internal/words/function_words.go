package words

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Language decides which words of a text carry evidence, and how words in Latin letters are stemmed. Words in
// other letters need none.
type Language uint8

// The languages whose function words are known. English comes first: it is the language of a text
// that shows none.
const (
	English Language = iota
	German
	French
	Spanish
	Portuguese
	Italian
	Dutch
	Swedish
	Norwegian
	Polish
	Czech
	Turkish
	Hungarian
	Indonesian
	languages

	// NotLatin is any language that is written in other letters.
	NotLatin
)

// functionWords are the function words of the languages in Latin letters.
var functionWords = [languages]string{
	English: `the and is are was of to in for that this it with on as be by from have not you we can should what when how if do does i`,
	German: `der die das den dem des ein eine einen einem einer eines und oder aber auch ist sind war wird werden wurde wurden hat haben habe
		ich du er sie es wir ihr mich mir dich sich uns mit von vom zu zum zur bei beim im in am an auf aus für über unter durch um als wie wenn weil dass daß ob
		so noch nur schon mal man kann können soll sollen muss müssen darf dürfen bitte dann da denn dort hier was wer wo warum nicht kein keine keinen nie
		mein meine dein unser unsere ihre seine diese dieser dieses diesen jetzt immer wieder mehr sehr damit davon dazu gibt etwas alle alles doch ja nein ins ans
		sein seinen seiner will wollen wollte füge fügen hinzu mache machen macht gib zeig lass kannst könntest könnte würde möchte magst sollte sollten haben hatte
		hast bist wäre seid euch euer ihm ihn ihnen ihrer ihrem deine deiner jede jeder jedes welche welcher welches wie wieviel viel viele einige etwa genau
		eigentlich ganz gerade erst zwischen während beide beiden zwei danke`,
	French: `le la les l un une des du de d au aux et ou mais donc or ni car que qui quoi qu dont où ce c cet cette ces se s sa son ses ma mon mes ta ton tes
		notre nos votre vos leur leurs je j tu il elle on nous vous ils elles me m te t lui y en est sont était ai as a avons avez ont été être avoir suis
		dans par pour sur sous avec sans chez vers entre pas ne n plus très si comme quand alors aussi bien même tout tous toute toutes ça cela ici là
		peut faut fait faire doit
		peux peuvent pouvez pourrais veux voudrais dois fais faites suis sommes êtes était soit mets donne moi toi ceux celui celle quel quelle quels quelles combien
		chaque autre autres aucun aucune avait avaient étaient donc puis encore jamais rien deux merci svp plaît`,
	Spanish: `el la los las lo un una unos unas de del al y e o u pero que qué quien cual como cómo cuando donde si sí no en con sin por para sobre entre hasta desde
		se me te le les nos mi mis tu tus su sus yo él ella ellos nosotros usted es son era fue ser está están hay ha han haber más muy ya también esto este esta
		estos estas ese esa eso aquí todo toda todos todas nada porque hace hacer puede puedo cada otro otra
		tengo tiene tienes tienen tenemos tenía tener haz hago hice hiciste hicimos pon quiero quería puedes pueden podría debe deben voy vas vamos
		estoy estamos eres somos hemos así alguno alguna ningún ninguno ninguna mismo misma tanto cuánto cuánta cuántos cuántas cuál pues entonces aunque
		mientras según gracias estaba estaban estar había habían ahí allí aún sólo les donde dónde cuál unas esos esas aquel aquella`,
	Portuguese: `o a os as um uma uns umas de do da dos das no na nos nas em ao aos à às por pelo pela pelos pelas para pra com sem sobre entre até e ou mas que quem
		qual como quando onde se não sim eu você ele ela eles elas nós me te lhe meu minha seu sua seus suas é são era foi ser está estão tem têm há ter mais muito já
		também isso isto este esta esse essa aqui tudo todo toda todos todas porque pode fazer cada num numa
		tenho temos tinha faz faça fiz põe quero queria posso podes podemos deve vou vamos seja estou estamos somos assim algum alguma nenhum nenhuma mesmo
		mesma tão tanto quanto quantos quantas qual então embora enquanto dois duas obrigado estava estavam estar havia aí lá ainda só onde esses essas aquele aquela`,
	Italian: `il lo la i gli le l un uno una di a da in con su per tra fra del dello della dei degli delle al allo alla ai agli alle dal dalla dai dalle nel nello nella nei
		negli nelle sul sulla sui sulle col e ed o ma che chi cui come quando dove se non si mi ti ci vi ne me te lui lei noi voi loro mio mia tuo suo sua suoi è sono era
		sei siamo ho ha hai hanno abbiamo essere avere più molto già anche questo questa questi queste quello quella qui tutto tutti tutte perché può fare deve ogni
		fatto faccio fammi dammi dimmi metti voglio vorrei puoi posso possono devo vado sono stato così qualcosa qualche nessuno nessuna stesso stessa
		quanto quanti quante quale quali allora mentre altro altra aveva avevano stava ancora lì là dove quei quegli grazie`,
	Dutch: `de het een en of maar dat die dit deze is zijn was waren wordt worden werd heeft hebben had ik je jij hij zij ze wij we jullie u mij me hem haar ons hun
		van in op te aan met voor door bij naar uit over onder om als dan toen er ook nog al wel niet geen nooit wat wie waar hoe waarom kan kunnen moet moeten mag
		zal zou naar tot tegen zo nu hier daar mijn jouw onze alle alles veel meer`,
	Swedish: `och att det som en ett på är av för med till den de har i om men var jag du han hon vi ni från inte kan ska vid så när hur vad eller mot under över efter
		även alla här där bara mycket skulle blir denna detta dessa sig sin`,
	Norwegian: `og at det som en et på er av for med til den de har i om men var jeg du han hun vi fra ikke kan skal ved så når hvordan hva eller mot under over etter
		også alle her der bare mye blir denne dette disse seg sin må være ble hvis`,
	Polish: `i a oraz ale lub albo w we z ze na do od po za o u przy przez dla bez pod nad przed między jest są był była było być będzie nie tak to ten ta te tego tej tym tych
		ten jak kiedy gdy gdzie co kto że żeby czy się sobie mnie mi nas nam go jej ich jego mój moja nasz już tylko jeszcze bardzo może można trzeba też który która które ma mają`,
	Czech: `a i ale nebo v ve z ze na do od po za o u při přes pro bez pod nad před mezi je jsou byl byla bylo být bude ne ano to ten ta tato tento toto jak když kde co kdo
		že aby jestli se si mě mi nás nám ho jej jejich jeho můj náš už jen ještě velmi může lze také který která které má mají`,
	Turkish: `ve veya ya ama fakat ile için bir bu şu o da de ki mi mı mu mü ne nasıl neden nerede kim gibi kadar daha çok en her hiç ben sen biz siz onlar bana beni bize
		bunu onu var yok değil olarak olan oldu olur olsa ise diye sonra önce şimdi artık`,
	Hungarian: `a az egy és vagy de hogy nem is ez azt ezt ami aki mint ha csak már még meg van volt lesz kell lehet minden itt ott mert majd el ki be fel le nekem minket`,
	Indonesian: `yang dan atau di ke dari untuk dengan pada ini itu adalah tidak bukan akan sudah telah bisa dapat juga saya kami kita anda mereka ia dia oleh karena
		jika agar sebagai dalam lebih sangat apa bagaimana`,
}

// inEnglish are those of the words above that mean something in English or in code. They are
// evidence, unless other words show the language of the text.
const inEnglish = `
	die dem den des war man art mit hat was bin son par est con sin hay come per non fare on no not as or car ton tie die van over under door of all al hen men bot
	ten ben dan bin os dos das com sole todo mal nie mal elles pas port plus pour sous entre here her der el le tu cu ni me te te mi ha ho hi an am so do at if by
	i a o e u y to is in be ns nu code mai mot fel el ska var api net sig om och had bare kan fin even ill ad at have vi ed ex ja je ze z w v s c d t n m l j ci ai
	ans ins ob si se lo li er es im da ko po za od id nad pod co go ma mm most ist bei us um un il as alle tot meer waren ie ki ne ya ve zou zo`

// wordsOfScripts are function words in letters that Latin languages don't use.
const wordsOfScripts = `
	и в во на с со к ко у о об от из за до по для при без над под про через между что чтобы как так это этот эта эти этого этой тот та те того той той я ты он она оно мы вы
	они меня мне мной тебя тебе его ему её ее им их нас нам вас вам свой свою себя же ли бы б да нет не ни но а или если когда где куда кто чем то там тут здесь уже ещё
	еще только очень можно нужно надо есть был была было были быть будет все всё всех весь вся который которая которые которое потому почему пусть чего чему тоже также
	і й та що як це цей він вона воно ми ви вони є не або якщо коли для від із зі про
	που και το τα τη την της του των τον οι ο η στο στη στην στα για με από σε να θα δεν μη είναι ως αν ή
	في من على إلى الى عن مع هذا هذه ذلك تلك التي الذي الذين ما ماذا لا لم لن ليس هل أن ان إن كان كانت يكون هو هي هم نحن أنا أنت قد كل بعض أو او ثم حتى إذا اذا عند لكن بل كيف لماذا متى أين و ف ب ل يا
	از به با در که این آن را و برای تا هم یا اما اگر چه چرا چگونه است هست بود شود شده می نمی نه من تو او ما شما آنها یک هر
	של את על אל עם זה זו לא כי אם או גם אני אתה הוא היא אנחנו הם יש אין כל רק מה איך למה כן
	है हैं था थे थी हो का की के को में से पर और या यह वह ये वे कि जो तो भी ही न नहीं मत क्या क्यों कैसे कब कहाँ एक इस उस इन उन मैं हम तुम आप कर करें करना किया गया लिए साथ कोई कुछ सब
	그리고 그런데 하지만 그래서 그냥 그럼 이것 그것 저것 이거 그거 여기 저기 거기 것 수 때 등 및 또는 혹은 좀 더 잘 안 못 왜 어떻게 무엇 어디 누가 언제 같은 같이 같아 있는 있다 있어 있습니 없는 없다 없이 하는 하고 하면 한다
	합니 해서 해요 주세요 주세 해주세요 해주 줘 줘요 줄래 줄래요 해줘 해줘요 해줄래 해줄래요 해줄 될까요 되나요 인가요 위해 대한 대해 경우 모두 아직 이미 다시 바로 매우 너무 정말 우리 제가 내가 나는 저는 이런 그런 저런 이게 그게 건 걸 게 데 중 후 전 거 뭐 점 지금 둘
	다 만 고 은 는 이 가 을 를 의 에 로 와 과 도`

// wordsOfPairs are function words of languages that are read in pairs of characters.
const wordsOfPairs = `
	可以 如果 因为 所以 但是 或者 以及 并且 而且 一个 一下 一些 什么 怎么 怎样 如何 现在 已经 需要 应该 可能 还是 是否 是不 时候 为了 由于 还有 只要 只有 所有 有没 然后 直接 行吗 能不 不能 不要 不是 没有 不会 帮忙 谢谢 这个 那个
	如果 因為 所以 但是 或者 以及 並且 什麼 怎麼 現在 已經 應該 還是 是否 時候 為了
	です ます ました ません ましょう でした でしょう する します して した しない される された され させ させる せる いる いて いた います ある あり あった ない なく なかった なる なって なった なり から まで より ので のに のは のが のを のも には では とは とも への にも でも もの こと
	ため など なら ください くだ という といって として とき について に対して によって による ような ように ところ そして しかし また だけ ながら ほしい ほし たい たら れば られる られた らせ もらえ もらう もらって いただ これ それ あれ この その あの ここ そこ どこ どう
	だと だった けど けれど ませんか ますか ですか てから てしまう てしまって ておく ておいて てみて てくる ちょっと すぐ もう まだ かも しれない そう よう あと みたい くれ あげ おき たく
	ที่ และ หรือ ของ ใน ให้ ได้ ไม่ เป็น มี จะ กับ จาก แต่ ว่า นี้ นั้น ก็ แล้ว ต้อง อย่า ควร โดย เพื่อ เมื่อ ถ้า อยู่ คือ ซึ่ง ครับ ค่ะ คะ ไหม อะไร ทำไม อย่างไร ด้วย เรา ฉัน ผม คุณ มัน ทุก แบบ การ ความ`

// hanParticles make a pair of Han characters a function word, or part of one.
const hanParticles = `的了吗呢吧啊嘛们这那哪我你您他她它很也就把被让不没個嗎們這個您她`

// hanSmall are single characters, mostly the stems of Japanese verbs, that say nothing about the subject.
const hanSmall = `見人分何言出入来作使取持思知今前後時中上下大小多少全一二三四五六七八九十回度方所事物者他目手気最初直書読教聞話名新良同別各毎次先内外間場形点件個`

// function holds the function words of all languages. For each it has a bit for each language in Latin letters
// that has it, and the bits below.
var function = sync.OnceValue(func() map[string]uint16 {
	words := make(map[string]uint16, maxFunctionWords)
	add := func(list string, bits uint16) {
		for word := range strings.FieldsSeq(list) {
			words[word] |= bits
		}
	}
	add(inEnglish, sharedBit)
	add(stop+more+wordsOfScripts, smallBit)
	for language, list := range functionWords {
		add(list, 1<<language)
	}
	EachWord(wordsOfPairs, func(pair []byte) { words[string(pair)] |= smallBit })
	return words
})

const (
	smallBit         = 1 << languages       // it never counts, whatever the language of the text
	sharedBit        = 1 << (languages + 1) // it is in inEnglish
	maxFunctionWords = 2000
)

// isSmallWord reports whether a word, in lower case, carries no evidence in any text.
func isSmallWord(word []byte) bool {
	if function()[string(word)]&smallBit != 0 {
		return true
	}
	if word[0] < 0xe3 || word[0] > 0xe9 { // not Han
		return false
	}
	for _, r := range string(word) {
		if strings.ContainsRune(hanParticles, r) {
			return true
		}
	}
	return false
}

// IsSmall reports whether a word, in lower case, carries no evidence in a text of the language. Of
// Japanese, what is written in Hiragana is grammar as a rule (particles, endings, auxiliary verbs), and so
// are the stems of the commonest verbs.
func (l Language) IsSmall(word []byte) bool {
	if isSmallWord(word) || isHiragana(word) || len(word) == len("見") && strings.Contains(hanSmall, string(word)) {
		return true
	}
	return l.isFunctionWord(word)
}

// isFunctionWord reports whether a word is a function word of the language, which may mean something in
// another: jest is Polish, and runs tests.
func (l Language) isFunctionWord(word []byte) bool {
	return l != English && l < languages && function()[string(word)]&(1<<l) != 0
}

func isHiragana(word []byte) bool {
	for _, r := range string(word) {
		if scriptOf(r) != hiragana {
			return false
		}
	}
	return true
}

// LanguageOf returns NotLatin for texts mostly in other letters, and else the language of which they have
// most function words, and at least two; else English. Words that mean something in another language
// count half.
func LanguageOf(texts ...string) Language {
	var count [languages]int
	seen := map[string]bool{}
	latin, others := 0, 0 // letters
	for _, text := range texts {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
			if seen[word] {
				continue
			}
			seen[word] = true
			for _, r := range word {
				if r < utf8.RuneSelf || unicode.Is(unicode.Latin, r) {
					latin++
				} else {
					others++
				}
			}
			word = strings.ToLower(word)
			bits := function()[word]
			isOnlyIn := bits&sharedBit == 0 && (bits&(1<<English) == 0 || bits&(1<<languages-1) == 1<<English)
			for l := range languages {
				if bits&(1<<l) == 0 {
					continue
				}
				if count[l]++; isOnlyIn {
					count[l]++
				}
			}
		}
	}
	if others > latin {
		return NotLatin
	}
	best := English
	for l, n := range count {
		if n >= minShown && n > count[best] {
			best = Language(l)
		}
	}
	return best
}

const minShown = 4 // half words
