/**
 * Phrases by which the system refuses a question: someone may be in danger, wants to change a prescribed medicine, or asks
 * for a dose for a child, in pregnancy or while breastfeeding. They favour recall for danger: an ambiguous phrase counts as
 * danger. test/plugins/answers/refusals.tsv contains the questions on which they are evaluated.
 * Texts are lower case, without accents, with straight apostrophes; medicines are replaced by `medx`, supplements by `supx`.
 */

const any = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'));

const WHO =
  '(?:i|we|he|she|they|my \\w+(?: \\w+)?|our \\w+|someone|somebody|a (?:friend|child|kid|toddler|baby|colleague|person)|the (?:child|kid|toddler|baby|dog|cat)|child|kid|toddler|baby|daughter|son|dog|cat|husband|wife|mum|mom|dad|grandma|grandpa|flatmate|roommate)';
/** Matches an amount above the usual: five or more, or a word for too much. */
const AMOUNT =
  '(?:[5-9]|\\d{2,}|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|a hundred|several|dozens?(?: of)?|a dozen|too many|too much|so many|way too (?:much|many)|far too (?:much|many)|a lot of|lots of|(?:a |whole )?(?:load|heap|pile|ton|bunch|tonne)s? of|too strong|(?:a |two |half a )?(?:hand|fist|mouth|bottle)ful(?: of)?|handfuls? of|(?:a|the|an|half a|half the|half of the|one|my|his|her) (?:whole |entire |full )?(?:bottle|pack|packet|box|jar|tub|blister|strip|container|tin)(?: of)?|(?:the )?(?:whole|entire) (?:bottle|pack|packet|box|jar|tub|thing|lot)|(?:about |around |nearly |almost )?all (?:of )?(?:the|my|his|her|their)|double|twice|triple|three times|ten times|ten-fold)';
const PILLS =
  '(?:pills?|tablets?|capsules?|gummies|gummy|caps|tabs|softgels?|lozenges?|drops|doses?|dose|servings?|scoops?|shots?|cans?|vitamins?|medicines?|medications?|meds|supplements?|bottle|pack|packet|box|jar|tub|supx|medx|patches|bags?|cups?|paracetamols?|acetaminophen|tylenol|ibuprofens?|aspirins?)';
const HUGE =
  '(?:(?:[2-9]\\d{3}|\\d{5,}) ?(?:mg|milligrams?)|[1-9]\\d+ ?(?:g|grams?)|(?:[5-9]\\d{4}|\\d{6,}) ?(?:iu|units))';
const MANIFOLD =
  '(?:\\d+|two|three|five|ten|twenty|many|several|a hundred|twice|double|triple) ?(?:times|x)? ?(?:the|my|his|her|what) (?:\\w+ ){0,2}(?:dose|dosage|amount|recommended|limit|allowance|prescribed)';
const TOOK =
  '(?:took|taken|swallowed|swallow|ate|eaten|ingested|drank|drunk|chewed|downed|had|has had|got into|got hold of|gulped|popped|injected|consumed|finished|necked|(?:after|been|just|by|from) taking)';
const CHILDISH =
  '(?:child|kid|toddler|baby|infant|son|daughter|year[- ]old|month[- ]old|grandchild|grandson|granddaughter|dog|cat|puppy|kitten)';

/** Matches words of someone who asks about research and is not personally affected. */
export const RESEARCH =
  /\b(?:trials?|stud(?:y|ies|ied)|evidence|meta-?analys[ei]s|systematic|reviews?|research\w*|randomi[sz]ed|incidence|prevalence|cohorts?|epidemiolog\w*|literature|case (?:reports?|series)|survivors?|mortality|rats?|mice|mouse|animals?|in vitro|mechanisms?|guidelines?|statistics|publications?|papers?|history of|biomarkers?)\b/;

export const FIRST_PERSON =
  /\b(?:i|i'm|im|i've|ive|i'd|i'll|me|my|mine|we|we're|our|us|myself|he|she|him|her|his|(?:a|our|their) (?:friend|child|kid|baby|toddler|neighbou?r|colleague))\b/;

/** Matches a question about one person, or about what to do now. */
export const ACUTE =
  /\b(?:right now|just now|just took|just swallowed|just had|just ate|now\??$|what (?:do|should|can|must) (?:i|we|he|she) do|what to do|help me|help!|please help|emergency|a&e|hospital|ambulance|suddenly|since (?:this morning|last night|an hour)|minutes ago|hours? ago|last night|today|this morning)\b/;

export const OVERDOSE = any(
  // Other languages: a child, son, daughter or packet, with a word for swallowing.
  `\\b(?:hijo|hija|nino|nina|bebe|niet[oa]|filh[oa]|menin[oa]|crianca|bambin[oa]|figli[oa]|fils|fille|enfant|sohn|tochter|kind|baby|enkel\\w*)\\b[^.?!]{0,40}\\b(?:trag\\w+|tomo|comio|bebio|ingir\\w+|engol\\w+|comeu|bebeu|tomou|avale\\w*|mange|bu|ingere|pris|verschluckt|geschluckt|gegessen|getrunken|genommen|geschluckt|ingoiat\\w+|mangiat\\w+|bevut\\w+|preso)\\b`,
  `\\b(?:me tome|me he tomado|tomei|j'ai (?:pris|avale)|ich habe|ho preso|ho ingoiato)\\b[^.?!]{0,30}\\b(?:\\d{2,}|todas?|todos?|frasco|caja|bote|caixa|boite|flacon|plaquette|packung|schachtel|flasche|alle|ganze|scatola|flacone|tutt\\w|demasiad\\w+|trop|zu viele?|troppe?|muitos?)\\b`,
  `\\b(?:snort(?:ed|ing)?|munched|scoffed|guzzled|wolfed|chugged|polished off|demolished|hoovered) (?:\\w+ ){0,3}?(?:whole|entire|all|jar|bottle|pack|packet|box|tub|pills?|tablets?|capsules?|powder|gummies|supx|medx|vitamins?)\\b`,
  `\\b(?:paracetamol|acetaminophen|tylenol|panadol|medx)\\b[^.?!]{0,20}\\bevery (?:hour|half hour|thirty minutes|30 minutes)\\b`,
  `\\b(?:gave|given|giving|fed) (?:my |our |the |her |him |them )[^.?!]{0,60}\\b(?:by mistake|by accident|accidentally|instead)\\b`,
  `\\b(?:took|taken|had|given)\\b[^.?!]{0,50}\\b(?:took|taken|had|gave) (?:them|it|those|the same)? ?(?:all )?(?:again|twice|a second time)\\b`,
  `\\b(?:days?|week|weeks|month|months|fortnight)'?s?'? worth of\\b`,
  `\\b${WHO}\\b[^.?!]{0,30}\\b${TOOK}\\b(?: \\w+){0,3} ${AMOUNT}(?: \\w+){0,4} ?${PILLS}\\b`,
  `\\b(?:took|taken|swallowed|necked|downed|ate|eaten|drank|popped|ingested|snorted|injected) (?:\\w+ )?(?:a |the |an )?(?:whole |entire |full )?(?:loads?|tons?|heaps?|piles?|bunch|handfuls?|fistful|bottles?|packs?|packets?|box|jar|tub) of\\b`,
  `^(?:\\w+ ){0,3}?${TOOK} (?:\\w+ ){0,2}?${AMOUNT} ?(?:\\w+ ){0,3}${PILLS}\\b`,
  `\\b(?:after|since|from|by) taking (?:\\w+ )?${AMOUNT} (?:\\w+ ){0,2}${PILLS}\\b`,
  `\\b${TOOK}\\b[^.?!]{0,20}\\b(?:${HUGE}|${MANIFOLD})\\b`,
  `\\btoo (?:much|many|strong|high)\\b(?: \\w+){0,5} (?:taken|swallowed|ingested|given)\\b|\\b(?:given|got|gave|had|took|taken) (?:\\w+ ){0,2}too (?:much|many|strong|high)\\b`,
  `\\b(?:took|taken|had|given) (?:my|his|her|the|it|them) ?(?:\\w+ ){0,3}(?:twice|two times|again by)\\b`,
  `\\b(?:stop|stops|stopping) (?:my|your|the|his|her|a|someone's) (?:heart(?! (?:attack|disease|failure|rate|rhythm))|breathing)\\b`,
  `\\b(?:in|into) (?:her|his|its|their) mouth\\b`,
  `\\b(?:way |far |much )?(?:more|higher) (?:\\w+ ){0,2}than (?:the |my |it )?(?:label|package|packet|box|bottle|doctor|recommended|prescribed|allowed|i should)\\b`,
  `\\b(?:kills?|killed) (?:a |an |any |the )?(?:person|human|man|woman|adult|child|kid|baby|dog|cat|you|someone|somebody|people|me|him|her)\\b`,
  `\\baccidental(?:ly)? (?:\\w+ ){0,2}(?:double|extra|second|repeated?|wrong) ?(?:dose|tablet|pill)?`,
  `\\b${CHILDISH}\\b[^.?!]{0,40}\\b(?:open|empty|spilled|spilt|half-empty) (?:\\w+ ){0,2}(?:bottle|pack|packet|box|jar|tub|blister)\\b|\\b(?:pills?|tablets?|capsules?|gummies|some) (?:are|is|were|have gone|went) missing\\b`,
  `\\benough (?:\\w+ )?to (?:kill|be (?:deadly|lethal|fatal|toxic|poisonous)|die|poison)\\b`,
  `\\b${TOOK}\\b (?:\\w+ ){0,2}${AMOUNT} (?:\\w+ ){0,3}${PILLS}\\b[^.?!]{0,60}\\b(?:by accident|accidentally|by mistake|at once|in one go|at the same time|ago|what (?:do|should|now)|is (?:that|this) (?:dangerous|bad|safe|ok)|will i|am i|help)`,
  `\\b(?:accidentally|by accident|mistakenly|by mistake) (?:\\w+ ){0,2}${TOOK}\\b`,
  `\\b${TOOK}\\b[^.?!]{0,40}\\b(?:by accident|accidentally|by mistake|too much|too many|more than i should|at once|in one go|all at once)\\b`,
  `\\b${CHILDISH}\\b[^.?!]{0,25}\\b(?:just |has |have |may have |might have )?(?:swallowed|ate|eaten|ingested|drank|chewed|got into|got hold of|downed|licked|bit|nibbled|sucked|put)\\b`,
  `\\b(?:swallowed|drank|ingested|ate|chewed) (?:\\w+ ){0,3}(?:bleach|batter(?:y|ies)|magnets?|detergent|antifreeze|petrol|gasoline|pesticide|rat poison|cleaner|mercury|paint|mushrooms?|berries|iodine|silica|packet|sachet|desiccant|coins?|essential oils?|tea tree oil|camphor|wintergreen)\\b`,
  `\\bover ?-?do(?:s|z)(?:e|ed|es|ing|age)d?\\b`,
  `\\bo\\.?d\\.?'?(?:ed|d|ing) on\\b`,
  `\\b(?:lethal|fatal|deadly|toxic) (?:dose|amount|level|quantity)s?\\b`,
  `\\b(?:dose|amount|quantity|number|how (?:many|much))\\b[^.?!]{0,60}\\b(?:kills?|lethal|fatal|deadly|to die|would die|toxic|poison(?:s|ous)?|be dangerous|is dangerous|cause death)\\b`,
  `\\b(?:fatal|lethal|deadly)\\b(?! (?:and non|or non|coronary|heart|cardi\\w+|stroke|myocardial|cancers?|infections?|disease|arrhythm\\w+|events?|outcomes?))`,
  `\\bpoison(?:ed|ing)?\\b`,
  `\\b(?:sobredosis|surdosage|uberdosis|overdosis|sovradosaggio|superdosagem|vergift\\w*|intoxicacion|intossicazione|empoisonn\\w*|envenenad\\w*|me tome \\w+ (?:pastillas|comprimidos)|trop de comprimes)\\b`,
);

/** Matches overdose or poisoning as a subject of study, or as something that a supplement may prevent. */
export const OVERDOSE_STUDIED =
  /\b(?:reduc\w+|lower\w*|prevent\w*|protect\w*|cause[sd]?|affects?|mitigat\w*|counter\w*|attenuat\w*|against) (?:the )?(?:\w+ ){0,3}(?:over-?dos(?:e|age)|poisoning|toxic (?:dose|level))|\b(?:(?:more|less|how|very) (?:common|frequent|rare)|rates? of|number of)\b|\b(?:food|lead|mercury|arsenic|carbon monoxide|mushroom|organophosphate|paraquat|alcohol) poisoning\b(?=.{0,60}\b(?:studied|studies|trials?|evidence|risk|rates?|levels?|exposure|outcomes?|associated|reviews?)\b)/;

export const SELF_HARM = any(
  `\\b(?:thinking (?:of|about)|thoughts? (?:of|about)|going to|want to|wants to|plan(?:ning)? to|ready to|about to) (?:just )?end(?:ing)? (?:things|it)(?! (?:with|between|there|early|up|on)\\b)`,
  `\\b(?:how (?:many|much)|enough)\\b[^.?!]{0,60}\\bto (?:end it|end things|finish (?:it|me)|not wake up|go to sleep for ?(?:ever|good)|sleep for ?ever)\\b`,
  `\\b(?:quitarme la vida|acabar con mi vida|en finir|acabar com a minha vida|nicht mehr leben|farla finita)\\b`,
  `\\b(?:been|keeps?|started|stop|am) cutting\\b(?! (?:out|down|back|carbs?|sugar|calories|coffee|meat|dairy|my (?:dose|carbs|calories)))`,
  `\\bno (?:point|sense|reason) (?:in |of |to )?(?:living|life|live|going on)\\b|\\btalk(?:s|ing|ed)? about (?:dying|killing|death)\\b`,
  `\\b(?:every|all the|all of the|all my|all of my) (?:pills?|tablets?|medicines?|medication)\\b(?=[^?]*\\b(?:house|cabinet|home|at once|together|what happens|if i)\\b)|\\bwhat happens if i take (?:every|all)\\b`,
  `\\b(?:suicid\\w*|suiside|suicde|suizid\\w*|selbstmord|suicidar\\w*)\\b`,
  `\\b(?:kill(?:ing)?|hurt(?:ing)?|harm(?:ing)?|cut(?:ting)?|poison(?:ing)?|starv(?:e|ing)|hang(?:ing)?|drown(?:ing)?|end(?:ing)?) (?:myself|himself|herself|themselves|yourself)\\b`,
  `\\bself[- ]?(?:harm|injur)\\w*`,
  `\\b(?:end|take|taking|ending) (?:my|his|her|their|your) (?:own )?li(?:fe|ves)\\b`,
  `\\b(?:want|wants|wanted|wish|wishes|going|like|ready|would rather|rather) (?:to )?(?:die|be dead|not (?:be|wake|exist)|disappear forever)\\b`,
  `\\b(?:don't|dont|do not|no longer) (?:want|wish|care) (?:to )?(?:live|be alive|be here any ?more|go on|exist|wake up)\\b`,
  `\\b(?:end(?:ing|ed)? (?:it all|everything)|(?:wish|wished) (?:that )?(?:i|he|she) (?:was|were|am) (?:dead|never born|not alive|not here)|better off dead|no reason to (?:live|go on)|nothing to live for|can't go on|(?:can't|cannot|can not) (?:do|take|bear|stand) (?:this|it|life) any ?(?:more|longer)|(?:no ?one|nobody) (?:would|will) (?:miss|notice|care)|better off without me|(?:no|see no|don't see (?:a|the|any)) (?:point|sense) (?:in|of|to) (?:living|life|going on)|give up on life|cannot go on|life is (?:not|n't) worth|not worth living|painless (?:way|death|method)|easiest way to die|ways? to die|how to die|die in my sleep|(?:to|i'd|would|could|just|rather|hope|wish) (?:just |i |i'd |to )?(?:never|not) wak(?:e|ing) up|never wak(?:e|ing) up(?! (?:at|early|on time))|painless overdose|overdose (?:is |that is |would be )?painless|(?:just )?want(?:s|ed)? to disappear|sleep forever)\\b`,
  `\\b(?:quiero morir|matarme|me suicider|mourir|mich umbringen|quero morrer|voglio morire)\\b`,
);

/** Matches symptoms that need immediate care, in any person. */
export const DANGER_SIGNS = any(
  `\\b(?:speech|words|talking|voice)\\b[^.?!]{0,20}\\b(?:slurr\\w*|garbled|jumbled|gone (?:funny|weird|odd))\\b|\\b(?:mouth|face|eyelid|smile|cheek)\\b[^.?!]{0,20}\\b(?:droop\\w*|sagg\\w*|lopsided|crooked|one side)\\b|\\b(?:droop\\w*|sagging|lopsided) (?:on |at )?(?:\\w+ ){0,2}(?:mouth|face|smile)\\b`,
  `\\b(?:throat|tongue|lips?|face|eyes?|airway)s? (?:is |are |has |have |was |were )?(?:\\w+ )?(?:puff(?:ing|ed|y|s)?(?: up)?|blow(?:ing|n) up|balloon\\w*)\\b[^.?!]{0,60}(?:$|[?.!]|\\b(?:can|should|after|since|what)\\b)|\\b(?:got |was |been )?stung\\b[^.?!]{0,60}\\b(?:puff\\w*|swell\\w*|swollen|hives|wheez\\w*|dizzy)\\b`,
  `\\b(?:yellow|jaundiced) (?:skin|eyes?|whites)\\b(?![^.?!]*\\b(?:trials?|studies)\\b)|\\b(?:skin|eyes?|newborn|baby|he|she)\\b[^.?!]{0,15}\\b(?:gone|turned|turning|going|went|looks?|is|are|looking) (?:\\w+ )?(?:yellow|jaundiced)\\b|\\b(?:dark|brown|cola|tea)[- ]?(?:colou?red)? (?:urine|pee|wee)\\b[^.?!]{0,40}\\b(?:yellow|pale stools?|itch\\w*|tired|nausea|since|after|on supx|from)\\b`,
  `\\bstiff neck\\b[^.?!]{0,40}\\b(?:fever|rash|headache|light|vomit\\w*|confus\\w*)\\b|\\b(?:fever|headache|rash)\\b[^.?!]{0,40}\\bstiff neck\\b`,
  `\\b(?:baby|bub|bump)\\b[^.?!]{0,20}\\b(?:stopped|isn't|not|hasn't|hardly|barely|less|no longer) (?:\\w+ )?(?:mov(?:ing|ed|es?)|kick(?:ing|ed|s)?)\\b|\\b(?:reduced|fewer|less|no) (?:foetal |fetal |baby )?(?:movements?|kicks)\\b[^.?!]{0,30}\\b(?:weeks|pregnan\\w+|baby)\\b`,
  `\\b(?:bleed\\w*|spotting|passing clots)\\b[^.?!]{0,40}\\b(?:weeks? pregnan\\w*|pregnan(?:t|cy)|weeks)\\b(?![^.?!]*\\b(?:trials?|studies|risk|reduce|prevent)\\b)|\\b(?:pregnant|weeks)\\b[^.?!]{0,40}\\b(?:bleeding|gushing|waters? (?:has |have )?broke\\w*|severe cramps)\\b(?![^.?!]*\\b(?:trials?|studies|risk|reduce|prevent)\\b)`,
  `\\b(?:bp|blood pressure|pressure)\\b[^.?!]{0,25}\\b(?:1[89]\\d|2\\d\\d) ?(?:\\/|over) ?\\d{2,3}\\b|\\b(?:1[89]\\d|2\\d\\d) ?(?:\\/|over) ?(?:1[1-9]\\d|\\d{3})\\b`,
  `\\b(?:having|has|in|got) (?:an? |another |a bad |a severe )?(?:\\w+ )?(?:asthma attack|allergic reaction|panic attack and|hypo|diabetic coma)\\b(?![^.?!]*\\b(?:trials?|studies|prevent|risk|often|frequency)\\b)|\\b(?:no|lost|forgot|empty) (?:my |his |her |an |the )?(?:inhaler|epi-?pen)\\b`,
  `^(?=.*\\b(?:i|i'm|im|my|he|he's|she|she's|can't|cant|now)\\b).*\\b(?:shaking|shivering|sweating|jerking|twitching|fever|agitat\\w+|confused)\\b[^.?!]{0,40}\\b(?:shaking|sweating|jerking|twitching|rigid|fever|agitat\\w+|confused)\\b[^.?!]{0,60}\\b(?:medx|supx|pills?|taking|took|since|after|on)\\b`,
  `\\bchest\\b[^.?!]{0,40}\\b(?:tight|pains?|hurts?|pressure|heavy|numb|burning|stabbing|aches?|crushing|squeezing)\\b|\\b(?:tight|painful|sore|heavy|hurting|aching|crushing|stabbing|squeezing|numb)\\b[^.?!]{0,40}\\bchest\\b(?! infection)`,
  `\\b(?:i|he|she|they|my \\w+|we)\\b[^.?!]{0,30}\\b(?:faint(?:ed|ing|s)?|pass(?:ed|ing|es)? out|black(?:ed|ing) out|collaps(?:ed|ing|es))\\b`,
  `\\bblood\\b[^.?!]{0,30}\\b(?:cough|vomit|throw up|spit|pee|urine|stools?|poo)\\w*\\b(?=[^?]*\\b(?:i|my|he|she|his|her)\\b|$|\\?)`,
  `\\b(?:limp|lifeless|not breathing|stopped breathing|no pulse|floppy)\\b[^.?!]{0,60}\\b(?:wake|breath\\w*|baby|child|he|she|after|since)\\b|\\b(?:baby|child|son|daughter|he|she)\\b[^.?!]{0,20}\\b(?:limp|lifeless|floppy)\\b`,
  `\\b(?:stops?|stopping|survive) (?:a |the |my |his |her )?heart attack\\b`,
  `\\bchest (?:is |feels |has been |feel )?(?:\\w+ ){0,2}(?:heavy|pains?|paining|pian|tight(?:ness|ening)?|pressure|hurts?|hurting|discomfort|ache|aching|heaviness|burning|crushing|squeezing)\\b`,
  `\\b(?:pains?|pressure|tightness|ache|crushing|stabbing|squeezing|heaviness) (?:\\w+ ){0,2}(?:in|on|across) (?:my |the |his |her )?(?:left )?(?:chest|breast ?bone|arm and jaw|left arm|jaw and arm)\\b`,
  `\\b(?:having|has|had|got|signs? of|symptoms? of|think|is it|is this|could (?:it|this) be|experiencing) (?:\\w+ ){0,4}(?:a |an )?(?:heart attack|stroke|cardiac arrest|anaphyla\\w+|seizure|aneurysm|pulmonary embolism|blood clot in)\\b`,
  `\\b(?:can't|cant|cannot|can not|unable to|struggling to|hard to|difficult(?:y)? (?:to|in)?|trouble|hardly|barely|stopped|not) (?:\\w+ )?(?:breathe?|breathing|breath|catch my breath|get (?:any |enough )?air)\\b`,
  `\\b(?:gasping|choking|suffocating|turning blue|blue lips|lips (?:are |turned |turning )?blue)\\b`,
  `\\b(?:throat|tongue|lips?|face|airway)s? (?:is |are |has |have |feels? |keeps? |started )?(?:\\w+ )?(?:swelling|swollen|swelled|swells|closing|tight(?:ening)?|numb)\\b|\\bswelling of (?:my |the |his |her )?(?:throat|tongue|lips|face)\\b`,
  `\\banaphyla\\w+|\\bsevere allergic reaction\\b|\\ballergic shock\\b`,
  `\\b(?:unconscious|unresponsive|passed out|passing out|blacked out|collapsed|fainted|won't wake|wont wake|can't wake|cannot wake|not waking up|not responding)\\b`,
  `\\b(?:having|had|has|in) (?:a |another |multiple )?(?:seizures?|convulsions?|fits?)\\b|\\bconvulsing\\b|\\bis (?:seizing|fitting)\\b`,
  `\\b(?:arm|leg|face|side|sided)\\b[^.?!]{0,20}\\b(?:weak(?:ness)?|paralys\\w+|numb(?:ness)?)\\b[^.?!]{0,40}\\b(?:speak\\w*|speech|talk\\w*|sudden\\w*|ago|today|this morning)\\b|\\b(?:trouble|difficulty|problems?|can't|cannot|unable to) (?:with )?(?:speak\\w*|speech|talk\\w*|see|seeing)\\b|\\bseizing (?:right )?now\\b`,
  `\\b(?:face (?:is )?(?:droop\\w*|numb)|slurr(?:ed|ing) (?:my |his |her )?(?:speech|words)|sudden(?:ly)? (?:\\w+ )?(?:weak(?:ness)?|numb(?:ness)?|confus\\w+|blind(?:ness)?|vision loss|lost (?:my |his |her )?(?:vision|sight|speech))|can't (?:move|feel) (?:my|his|her|one) (?:\\w+ )?(?:arm|leg|side|face)|worst headache|thunderclap)\\b`,
  `\\b(?:cough\\w*|vomit\\w*|throw(?:ing)? up|threw up|spit\\w*|peeing|passing|pooping) (?:\\w+ )?blood\\b|\\bblood in (?:my |his |her )?(?:vomit|stool)\\b|\\bblack (?:and )?(?:tarry )?(?:stools?|poo|poop)\\b|\\bbleeding (?:that )?(?:won't|wont|does not|doesn't|will not|not) stop\\w*|\\bcan't stop (?:the )?bleeding\\b|\\bbleeding (?:heavily|a lot|profusely|badly)\\b|\\bheavy bleeding (?:while|in|during) pregnan\\w+`,
  `\\b(?:my|his|her) heart (?:is |was |keeps |has been |started )?(?:racing|pounding|skipping|stopp\\w+|beating (?:so |very |really |too )?(?:fast|hard|irregular\\w*))\\b|\\bheart(?:beat)? ?(?:rate|beats?|beating)? (?:\\w+ ){0,3}(?:1[4-9]\\d|2\\d\\d)\\b|\\bpulse (?:\\w+ ){0,3}(?:1[4-9]\\d|2\\d\\d)\\b`,
  `\\b(?:wheez\\w+|hives|swelling|welts|rash all over|twitching|hallucinat\\w+|delirious|convuls\\w+|disoriented|dizzy and \\w+|vomiting)\\b[^.?!]{0,50}\\b(?:since|after|from|when) (?:i|he|she|we|they|taking|eating|my \\w+) ?(?:took|had|ate|started|swallowed|used|taking|eating|drank)?\\b`,
  `\\b(?:after|since)\\b[^.?!]{0,50}\\b(?:i|he|she|my \\w+) (?:can't stop|keeps?|started|am|is|was|have|has)? ?(?:\\w+ )?(?:wheez\\w+|twitch\\w+|hallucinat\\w+|convuls\\w+|shaking (?:badly|uncontrollably|violently)|vomiting (?:a lot|non-?stop|constantly|repeatedly))\\b`,
  `\\b(?:dolor (?:en el|de) pecho|duele el pecho|douleurs? (?:a la |dans la )?(?:poitrine|thoraciques?)|brustschmerz\\w*|dor no peito|dolore al petto|no puedo respirar|keine luft|kriege keine luft|je n'arrive pas a respirer|infarto|herzinfarkt|crise cardiaque)\\b`,
);

/** Matches a danger sign as a subject of study. A person who has the sign now does not phrase a question like this. */
export const SIGNS_STUDIED = any(
  RESEARCH.source,
  `\\b(?:risk of|rates? of|side effects? of|caused by|causes?|linked to|associated with|patients with|people with|(?:sensation|feeling) of (?:\\w+ )?reflux|reflux|heartburn|non-?cardiac|stable angina|after (?:surgery|a heart attack|stroke))\\b`,
);

const MEDICINE =
  '(?:medx|thyroxine|paracetamol|medications?|medicines?|meds|prescriptions?|prescribed (?:\\w+ )?(?:drugs?|pills?|tablets?)|(?:prescription|heart|thyroid|blood pressure|bp|cholesterol|diabetes|epilepsy|seizure|asthma|psychiatric|anxiety|sleep) (?:drugs?|pills?|tablets?|meds|medications?|medicines?)|antidepressants?|anti-depressants?|statins?|blood thinners?|anticoagulants?|insulin|inhalers?|chemo(?:therapy)?|radiotherapy|immunosuppressants?|anti-?epileptics?|antipsychotics?|beta[- ]?blockers?|steroids?|ssris?|snris?|antibiotics?|dialysis|hrt|(?:birth control|contraceptive)(?: pills?)?)';
const POSSESSIVE =
  '(?:(?:my|his|her|their|our|your|the|this|that|a|an|any|all|all my|all of my|both|these|those|daily|prescribed|old|current|regular) ){0,3}';
const QUIT =
  "(?:stop(?:ped|ping)?|quit(?:ting)?|com(?:e|ing) off(?: of)?|came off(?: of)?|get(?:ting)? off(?: of)?|(?:get|getting|take|taking|wean|weaning) (?:me|him|her|them|(?:my|our|his|her) \\w+) off(?: of)?|go(?:ing)? off(?: of)?|went off|go(?:ing)? without|wean(?:ing)?(?: \\w+)? off(?: of)?|taper(?:ing)?(?: \\w+)?(?: off)?(?: of)?|discontinu(?:e|ing|ed)|skip(?:ping|ped)?|ditch(?:ing|ed)?|drop(?:ping|ped)?(?! in\\b)|giv(?:e|ing) up|replac(?:e|es|ing|ed)|swap(?:ping|ped)?(?: out)?|substitut(?:e|ing|ed)(?: for)?|switch(?:ing|ed)? (?:from|off|over from)|instead of|(?<!effective )alternatives? to|rather than|in place of|ceas(?:e|ing)|paus(?:e|ing)|hold(?:ing)?|refus(?:e|ing)|get rid of|throw(?:ing)? (?:away|out)|live without|do without|leave off|leaving off|cold turkey (?:off|on|from)|leav(?:e|es|ing)(?: behind)?(?= (?:my|his|her|their|our|the|it|off) )|left off|let go of|chuck(?:ing|ed)?(?: out)?|bin(?:ning|ned)?|flush(?:ing|ed)?|knock(?:ing)? .{0,15}on the head|withdraw(?:ing)? from|leav(?:e|ing) out|g(?:et|etting|ot) rid of|not (?:to )?tak(?:e|ing)|(?:don't|do not|won't|will not|wouldn't|no longer|not|never) need(?: to take)?|(?:don't|do not|won't) (?:have to )?take|no longer (?:take|taking|want (?:to take)?)|(?:don't|do not|not) want (?:to take|to use|to be on)|without (?:my|his|her|their))";

/** Matches stopping or replacing a medicine. */
export const STOP_MEDICINE = any(
  `\\b(?:replacements?|substitutes?|swaps?) (?:for|of) ${POSSESSIVE}(?:\\w+ ){0,2}${MEDICINE}\\b`,
  `^(?:stop|stopping|quit|lower|lowering|reduce|reducing|cut|cutting|halve|less|skip|drop) (?:\\w+ ){0,2}?${MEDICINE} (?:dose|dosage|tablets?|pills?)\\b`,
  `\\b(?:doctor|gp|physician|cardiologist|they|consultant|specialist|nurse)\\b[^.?!]{0,30}\\b(?:gave|given|prescribed|put|started|wants|offered|recommend\\w*)\\b[^.?!]{0,30}\\b${MEDICINE}\\b[^.?!]{0,40}\\b(?:rather|instead|prefer|natural|don't want|do not want|refuse)\\b`,
  `\\b(?:my|his|her|our|their) (?:\\w+ )?${MEDICINE}\\b[^.?!]{0,40}\\b(?:take over|takes over|do the job|enough alone|be enough|suffice|do instead|work instead|do the same)\\b`,
  `\\b(?:independent of|free (?:of|from)|rid of|done with|sick of|tired of|fed up with|hate|hates) (?:my|his|her|the|taking(?: my)?) (?:\\w+ )?${MEDICINE}\\b`,
  `\\b(?:take|use|need|inject|using|taking|needing) (?:less|fewer|half|lower|a lower|a smaller|no) (?:doses? of )?(?:my )?${MEDICINE}\\b`,
  `\\b(?:drop|skip|leave out|omit|miss|stop|halve|reduce) (?:the|my|his|her) (?:\\w+ )?dose (?:of )?(?:my )?${MEDICINE}\\b`,
  `\\b(?:wants?|put|puts|told|recommend\\w*|suggest\\w*|start\\w*) (?:me|him|her|us) (?:to (?:take|start|go) )?(?:on |onto )?(?:a |the )?(?:\\w+ )?${MEDICINE}\\b[^.?!]{0,40}\\b(?:prefer|rather|instead|natural|don't want|do not want|avoid)\\b`,
  `\\b${QUIT} (?:(?:taking|using|having|on|with|getting) )?${POSSESSIVE}(?:\\w+ ){0,2}${MEDICINE}\\b`,
  `\\b(?:cut(?:ting)?(?: down| back)?(?: on)?|reduc(?:e|ing)|lower(?:ing)?|decreas(?:e|ing)|halv(?:e|ing)|increas(?:e|ing)|rais(?:e|ing)|doubl(?:e|ing)|chang(?:e|ing)|adjust(?:ing)?|split(?:ting)?|up|upping) (?:(?:my|his|her|their|our) )(?:\\w+ ){0,2}?${MEDICINE}\\b`,
  `\\b(?:cut(?:ting)?(?: down| back)?(?: on)?|reduc(?:e|ing)|lower(?:ing)?|decreas(?:e|ing)|halv(?:e|ing)|increas(?:e|ing)|rais(?:e|ing)|doubl(?:e|ing)|chang(?:e|ing)|adjust(?:ing)?|split(?:ting)?) (?:(?:my|his|her|their|our|the) )?(?:dose|dosage|amount|use|intake) of ${POSSESSIVE}${MEDICINE}\\b`,
  `\\b(?:so (?:that )?i (?:can|could)|to (?:get|come|be)|will (?:i|it) (?:let|allow) me|allow me to|let me) (?:\\w+ ){0,3}off (?:of )?${POSSESSIVE}${MEDICINE}\\b`,
  `\\b(?:do|does|will|would|should|must) (?:i|he|she|we|they|my \\w+) (?:still |really |actually |even )?(?:have to|need(?: to)?|keep|keep on|continue) (?:\\w+ ){0,2}?${POSSESSIVE}${MEDICINE}\\b`,
  `\\bprescribed (?:me |him |her |us )?(?:\\w+ ){0,2}?${MEDICINE}\\b[^.?!]{0,40}\\b(?:rather|instead|prefer|don't want|do not want|natural)`,
  `\\bcan (?:supx|it|this|they|these) (?:\\w+ ){0,2}(?:replace|substitute|take the place of) ${POSSESSIVE}${MEDICINE}\\b`,
  `\\b${MEDICINE}\\b[^.?!]{0,40}\\b(?:can|should|could|may|must|do|shall) (?:i|we|he|she) (?:just |safely |now )?(?:stop|quit|skip|drop|come off|taper|wean|halve|reduce|cut down|replace|discontinue)\\b`,
  `\\b(?:is it (?:ok|okay|safe|fine|alright) to|how (?:do|can|should) (?:i|we|you) (?:safely )?|safe way to|best way to|want to|like to|thinking of|thinking about|planning to|going to|decided to) (?:stop|quit|come off|get off|wean off|taper|discontinue|replace|reduce|lower|cut down)(?:ping|ting|ing)? (?:off )?(?:taking |using )?${POSSESSIVE}(?:\\w+ )?${MEDICINE}\\b`,
);

/** Matches words after which a medicine is compared or studied and not changed: "as effective as", "versus". */
export const STOP_STUDIED =
  /\b(?:discontinuation|withdrawal) (?:of|from|symptoms?|rates?|stud\w+)\b|\b(?:trials?|stud(?:y|ies)|meta-?analys[ei]s|reviews?|cohorts?|randomi[sz]ed|evidence|research)\b/;

const CHILD =
  '(?:child|children|childs|kids?|toddlers?|bab(?:y|ies)|infants?|newborns?|neonates?|preemies?|teens?|teenagers?|adolescents?|pa?ediatric|preschoolers?|school ?(?:child\\w*|kids?)|grandchild\\w*|grandson|granddaughter|grandkids?|sons?|daughters?|nephew|niece|little (?:one|girl|boy)|boys?|girls?|minors?|(?:[1-9]|1[0-7])[- ]?(?:year|yr|yo|y\\/o)s?(?:[- ]?olds?)?|(?:\\d+|six|nine|three|four|five|seven|eight|ten|two|twelve|eighteen)[- ](?:months?|weeks?|days?)[- ]olds?|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)[- ]years?[- ]olds?|under (?:the age of )?(?:1[0-8]|[2-9])s?\\b|age[ds]? (?:of )?(?:[1-9]|1[0-7])\\b)';
const PREGNANT =
  "(?:pregnan(?:t|cy|cies)|expecting (?:a (?:baby|child)|mothers?|women)|(?:when|while|if|when you're|while you're|now|now i'm|now that i'm|and) expecting|(?:i'm|i am|she is|she's|am|my wife is|while) expecting|trimester|prenatal(?:ly)?|antenatal|conceive|conceiving|weeks along|mums?-to-be|moms?-to-be|unborn|fo?etus|embarazada|enceinte|schwanger\\w*|gravida)";
const NURSING =
  "(?:breast[- ]?fe(?:ed|eds|eding|d)|breast milk|nursing (?:a|my|mothers?|mums?|moms?|women|her|while)|(?:i'm|i am|while|when|am|still|she is|she's) nursing|lactat\\w+|chest-?feeding|amamantando|allait\\w+|stillen\\w*)";
/** Matches a request for an amount, or for instructions to take or give something. */
const DOSE_WISH =
  '(?:how (?:much|many|often)|dos(?:e|es|age|ages|ing)|\\d+ ?(?:mg|mcg|µg|ug|iu|g|ml|drops|gummies|tablets|capsules|pills)|milligrams?|micrograms?|what (?:strength|amount|quantity)|(?:right|correct|safe|good|normal|suitable|appropriate) (?:amount|quantity|strength|level)|(?:one|two|three|\\d+) or (?:two|three|four|\\d+) (?:a|per|each|every) day|keep (?:on )?(?:taking|using|giving)|stay(?:ing)? on|carry on taking|continue (?:taking|with|using)|max(?:imum)?\\b|recommended (?:amount|intake|daily)|can (?:i|we|she|he|my \\w+|a|an|they|you|\\w+ (?:women|mothers|mums|moms|kids|children|babies|toddlers|teenagers|teens)) (?:\\w+ ){0,3}?(?:take|give|have|use|start|drink|eat|get|put|continue|keep|stay)|(?:kids?|children|toddlers?|babies|teenagers?|infants?) (?:can |should )?(?:take|have|use|get)\\b|should (?:i|we|she|he|my \\w+|a|an|they|you|\\w+ (?:women|mothers|mums|moms|kids|children|babies|toddlers)) (?:\\w+ ){0,3}?(?:take|give|have|use|start|drink|avoid)|while (?:\\w+ )?pregnant (?:ok|okay|safe|fine|alright)|(?:ok|okay|safe|fine|alright|allowed) (?:for|in|to give) (?:my|our|a|an|the) |(?:ok|okay|safe|fine|alright|allowed|all right) (?:for me |for us )?(?:to|if i|if we|while i|when i) (?:\\w+ )?(?:take|give|use|have|start|am|giv\\w+)|(?:can|could|may|should|do) (?:i|we) give|giv(?:e|ing) (?:it |this |them |supx |\\w+ )?(?:to )?(?:my|our|a|an|the|his|her)|want to give|what (?:should|can) i (?:take|give))';

export const wishesDose = (text: string): boolean => new RegExp(`\\b${DOSE_WISH}\\b`).test(text);
export const namesChild = (text: string): boolean => new RegExp(`\\b${CHILD}(?![\\w-])`).test(text);
export const namesPregnancy = (text: string): boolean => new RegExp(`\\b${PREGNANT}\\b`).test(text);
export const namesNursing = (text: string): boolean => new RegExp(`\\b${NURSING}\\b`).test(text);
/** Matches an amount that is asked for in a few words: "vitamin a limit pregnant mg". */
const TERSE_AMOUNT =
  /\b(?:mg|mcg|µg|ug|iu|ml|grams?|g|amount|limit|max(?:imum)?|units|how (?:much|many|often)|per day|a day|daily)\b/;
/** Matches one person in such a state, not a group that is studied: "ashwagandha pregnant", not "zinc in pregnancy". */
const TERSE_PERSON =
  '(?:pregnant|breast[- ]?feeding|nursing|trimester|(?:my |our )?(?:baby|toddler|newborn|teen(?:ager)?|son|daughter|kid)|(?:[1-9]|1[0-7])[- ]?(?:years?|yrs?|yo|y\\/o)(?:[- ]?olds?)?|(?:\\d+)[- ]?(?:months?|weeks?)[- ]olds?)';
/** Words of such a question that name no outcome. */
const TERSE_FILL =
  /\b(?:supx|while|when|during|in|for|and|a|the|i'm|im|i|am|my|our|on|is|it|safe|ok|okay|or|not|taking|take|tablets?|capsules?|pills?|gumm(?:y|ies)|drops|powder|supplements?|first|second|third|1st|2nd|3rd|mum|mom|mother|woman|old|use|using|tea)\b/g;
const LONGEST_TERSE = 8;
const ASKS_OUTRIGHT = /^(?:does|do|did|is|are|was|were|has|have|can|could|which|why|who|how (?!much|many|often))\b/;

/** Returns whether a question of a few keywords asks for an amount, or only names what one person would take. */
export const tersePersonal = (text: string): boolean => {
  if (text.split(' ').length > LONGEST_TERSE || ASKS_OUTRIGHT.test(text)) return false;
  if (TERSE_AMOUNT.test(text)) return true;
  const person = new RegExp(`\\b${TERSE_PERSON}\\b`, 'g');
  if (!person.test(text) || !/\bsupx\b/.test(text)) return false;
  return !/[\p{L}\d]/u.test(text.replace(person, ' ').replace(TERSE_FILL, ' '));
};

/** Matches a question about the dose that a study gave, as opposed to a dose to take. */
export const ASKS_STUDIED_DOSE =
  /\b(?:(?:used|tested|given|studied|tried|compared|assessed|investigated|reported|evaluated) in|in (?:the |these |clinical |randomi[sz]ed |controlled )*(?:trials?|studies)|trials? (?:of|in|with|on|found|show)|studies (?:of|in|with|on|found|show)|(?:trials?|study|studies|evidence|research|meta-?analys[ei]s|reviews?|cohorts?)\b)/;
