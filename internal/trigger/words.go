package trigger

// loose words cannot end a trigger, and begin none: they lead to what follows.
var loose = set(`a an the of for in on with from via during to by before after at and or over as into than that
	is are was were be per under without against between across within until unless because since while when where
	which whose if so but nor not its their your our this these those every each any all both no only also
	must should shall can cannot may might will would could do does did has have had into onto about through inside outside
	it i they we you it's isn't aren't how then there here vs versus never always don't too very more most less`)

// relations join two nouns, and no verb says more.
var relations = set("before after with as on without over first")

// openers cannot begin a trigger.
var openers = set(`a an the and or but nor not so is are was were been am does did has had must should may might
	can could will would shall it its my our your their this that these those i we you they of to for in on at by from into
	onto than as per if who why how when while because since until unless whether before after during without with
	between under over via within have what which where every each both any`)

// connectives join a title to what precedes it.
var connectives = set("and or but nor so of to our my your i")

// boundaries are words before which a phrase may end.
var boundaries = set(`for in on with from via during to by before after at and or over as into than that
	is are was were per under without against between across within until unless because since while when where
	which whose if so but not must should shall can cannot may might will would could do does did has have had onto
	about through inside outside instead rather isn't aren't never then`)

// subordinators begin a clause that a cut phrase must not hold a part of.
var subordinators = set("because that which who whose when where while so if unless until although though as what how why")

// negations turn the sense of what precedes them: no phrase is cut behind one.
var negations = set("not never no cannot isn't aren't don't unless except")

// determiners show that a noun follows.
var determiners = set("a an the all any both each every one only no your its their this that these our")

// adjectives after a word that is a verb or a noun show that it is a verb.
var adjectives = set("own similar new good small real actual same existing explicit stable simple short specific large only first default critical current consistent different other")

// mass are nouns that need no article.
var mass = set("work context knowledge code data text time output input content information research software documentation")

// predicates are adjectives that follow their noun in a headline without a verb.
var predicates = set(`unavailable impractical immutable mutable relaxed active inactive mandatory required forbidden
	optional obsolete deprecated broken missing unsafe impossible allowed disabled enabled incompatible insufficient
	unreliable unsupported supported incomplete unnecessary prohibited banned`)

// general words name no subject by themselves.
var general = set(`pattern patterns strategy strategies approach approaches algorithm algorithms rationale principle
	principles process method methods technique techniques mechanism mechanisms concept concepts
	overview summary insight insights lesson lessons note notes consideration considerations guideline
	guidelines guidance guide practice practices best amount assumption assumptions limitation limitations
	solution solutions problem problems semantics behavior behaviour methodology characteristics
	basics details example examples philosophy model models architecture system logic convention conventions
	decision decisions implementation design miscellaneous general introduction background context status
	success metrics metric processing order ordering future direction directions complexity management pipeline
	goal goals scope requirements options alternatives consequences steps step workflow types categories usage
	terminology rules rule efficiency effectiveness conclusion purpose motivation references resources questions`)

// places are words for what something happens in.
var places = set("phase workflow process pipeline mode stage tests ci")
