import type { SourceRecord, Species } from '../source-record.ts';
import type { RecordText } from './record-text.ts';

const PEOPLE =
  'adults|patients|participants|volunteers|women|men|children|infants|neonates|newborns|adolescents|people|persons|individuals|athletes|players|students|cyclists|runners|swimmers|rowers|boys|girls|mothers|schoolchildren|outpatients|inpatients|males|females|subjects|smokers|survivors|toddlers|veterans|soldiers|residents|workers|nurses|judokas|wrestlers|sprinters|climbers|lifters|footballers|elderly|seniors|humans';
const ANIMALS =
  'rats|mice|rabbits|hamsters|pigs|piglets|sows|broilers|broiler chickens|chickens|chicks|hens|quails?|ducks|lambs|sheep|ewes|calves|heifers|steers|cows|cattle|goats|dogs|cats|horses|monkeys|macaques|zebrafish|fish|tilapia|trout|shrimp|drosophila';

// Adjectives that describe the people studied; any other word before the noun ends the phrase on the left.
const DESCRIBING =
  /^(?:healthy|older|elderly|old|young|younger|middle-aged|middle|aged|adult|adolescent|pregnant|lactating|breastfeeding|postmenopausal|post-menopausal|premenopausal|perimenopausal|menopausal|overweight|obese|normal-weight|underweight|lean|sedentary|active|physically|recreationally|untrained|trained|well-trained|resistance-trained|endurance-trained|strength-trained|elite|competitive|professional|amateur|collegiate|college|college-aged|university|high|school|male|female|black|white|african|african-american|american|chinese|japanese|korean|indian|iranian|asian|european|hispanic|diabetic|prediabetic|type|2|1|non-diabetic|nondiabetic|hypertensive|prehypertensive|normotensive|hypercholesterolemic|hypercholesterolaemic|hyperlipidemic|dyslipidemic|hyperlipidaemic|insulin-resistant|hospitalized|hospitalised|institutionalized|institutionalised|community-dwelling|critically|severely|mildly|moderately|ill|preterm|premature|term|full-term|very|low|birth|weight|birthweight|extremely|newborn|infertile|subfertile|anemic|anaemic|iron-deficient|vitamin|deficient|vitamin-d-deficient|stressed|depressed|anxious|autistic|asthmatic|allergic|epileptic|schizophrenic|septic|cirrhotic|surgical|cancer|hemodialysis|haemodialysis|dialysis|hiv-infected|hiv-positive|hiv|hepatic|cardiac|malnourished|undernourished|stunted|preschool|school-aged|school-age|rural|urban|free-living|frail|sarcopenic|osteoporotic|osteopenic|chronic|acute|and|or|soccer|football|basketball|volleyball|rugby|handball|tennis|hockey|track|cross-country|endurance|strength|power|resistance|well|military|nulliparous|primiparous|first-time|in-vitro|ivf|burn|trauma|stroke|asymptomatic|symptomatic|newly|diagnosed|wistar|sprague-dawley|c57bl\/6|weaned|growing|laying|broiler|dairy|transition|hyperuricemic|migraine|copd|mecp2|ms|pcos|adhd|nafld|knee|osteoarthritis|periodontal|fasting|nonsmoking|non-smoking|heavy|moderate|recreational|habitual|caffeine|caffeine-naive|naive|master|masters|aging|ageing|sleep-deprived|hypogonadal|outpatient|pediatric|paediatric|geriatric|at-risk|high-risk|low-income|tibetan|bangladeshi|mexican|pakistani|brazilian|danish|finnish|turkish|egyptian|kenyan|ghanaian|nepalese|nepali|thai|vietnamese|indonesian|tanzanian|ugandan|malawian|australian|canadian|british|swedish|dutch|german|italian|spanish|french|polish|greek|norwegian)$/;
const CONDITION =
  /^ (?:with|undergoing|receiving|at (?:high |increased )?risk (?:of|for)|suffering from|who have|living with|treated with|on|recovering from|hospitali[sz]ed (?:with|for)|admitted (?:to|with)|awaiting|infected with)\s/i;
// Words that end a condition phrase.
const STOP =
  /^(?:and|or)$|^(?:a|using|during|after|before|by|receives?|received|from|that|which|were|was|is|are|results?|through|following|compared|versus|vs|via|based|randomi[sz]ed|randomly|double-blind|placebo|controlled|study|trial|supplementation|between|within|when|without|but|who|to|had|have|has|aged|did|does|may|can|could|improves?|reduces?|decreases?|increases?|treated|participated|participating|attending|containing|completed|took|underwent|enrolled|recruited|scheduled|admitted)$/i;
const TRAILING =
  /(?:^|\s)(?:and|or|of|the|a|an|in|with|for|on|to|their|its|his|her|as|at|than|under|mild|moderate|severe|stable|early|high|low|elevated|newly)$/i;
const MAX_LENGTH = 90;
// In "healthy men with cranberry juices", the phrase names the treatment and not a condition.
const GIVEN =
  /^(?:with|on|receiving) (?:\S+ ){0,3}(?:juices?|capsules?|tablets?|supplement\w*|placebo|powders?|drinks?|extracts?|formula|diets?|oil|mg|gels?)\b|^on (?:the )?(?!h?a?emodialysis|dialysis|peritoneal|stable|long-term|chronic|statins?|warfarin|metformin|methotrexate|antiretroviral|antibiotics?|insulin|parenteral|mechanical|maintenance)\S+ ?(?:\S+ ){0,4}/i;

const conditionAfter = (text: string): string => {
  const opening = CONDITION.exec(text);
  if (opening === null || GIVEN.test(text.trimStart())) return '';
  const rest =
    text
      .slice(opening[0].length, opening[0].length + 80)
      .replace(/\b(H|S|C|E)\. (?=[a-z])/, '$1_ ')
      .split(/[.,:;()?[\]]/, 1)[0]
      ?.replace('_ ', '. ') ?? '';
  const words: string[] = [];
  for (const word of rest.split(' ')) {
    if (word === '' || words.length >= 7) break;
    if (STOP.test(word) && !(/^(?:and|or)$/.test(word) && words.length > 0)) break;
    words.push(word);
  }
  if (words.length === 7)
    words.splice(
      words.findLastIndex((word) => /^(?:and|or)$/.test(word)) > 0
        ? words.findLastIndex((word) => /^(?:and|or)$/.test(word))
        : 7,
    );
  let condition = words.join(' ').replace(/-(?:A|An|The)$/, '');
  while (TRAILING.test(condition)) condition = condition.replace(TRAILING, '').trim();
  return condition === '' ? '' : `${opening[0].trim()} ${condition}`;
};

const describing = (before: string): string => {
  const kept: string[] = [];
  for (const word of before.trim().split(' ').slice(-6).reverse()) {
    if (!DESCRIBING.test(word.toLowerCase())) break;
    kept.unshift(word);
  }
  while (kept.length > 0 && /^(?:and|or|well|very)$/i.test(kept[0] ?? '') && !/^very low/i.test(kept.join(' ')))
    kept.shift();
  return kept.join(' ');
};

const PROPER =
  /^(?:African|American|Chinese|Japanese|Korean|Indian|Iranian|Asian|European|Hispanic|Tibetan|Bangladeshi|Mexican|Pakistani|Brazilian|Danish|Finnish|Turkish|Egyptian|Kenyan|Ghanaian|Nepal\w+|Thai|Vietnamese|Indonesian|Tanzanian|Ugandan|Malawian|Australian|Canadian|British|Swedish|Dutch|German|Italian|Spanish|French|Polish|Greek|Norwegian|Gambian|Wistar|Sprague-Dawley|Parkinson|Alzheimer|Crohn|Down|Duchenne|Hashimoto|Graves|Raynaud|Sj|Helicobacter|Black|White|Olympic)/;

/** Lower-cases the capitals of a title; names of peoples and of discoverers keep their capitals. */
const lowerWords = (text: string): string =>
  text.replace(/(?<![A-Za-z])[A-Z][a-z]+(?![A-Za-z])/g, (word) => (PROPER.test(word) ? word : word.toLowerCase()));

const SECOND = new RegExp(`^ and (?:${PEOPLE})\\b(?!['-])`, 'i');

/** Returns whether the phrase is more specific than "patients" or "subjects". */
const tellsSomething = (phrase: string): boolean =>
  phrase.includes(' ') ||
  /^(?:infants|children|women|men|adolescents|newborns|neonates|athletes|students|cyclists|runners|swimmers|rats|mice|piglets|sows|toddlers|schoolchildren|broilers|pigs|zebrafish|older adults)$/i.test(
    phrase,
  );

const phrases = (text: string, noun: RegExp, most = 4): string[] => {
  const found: string[] = [];
  for (const match of text.matchAll(noun)) {
    const second = noun === NOUN ? (SECOND.exec(text.slice(match.index + match[0].length))?.[0] ?? '') : '';
    const end = match.index + match[0].length + second.length;
    const words = [describing(text.slice(Math.max(0, match.index - 60), match.index)), match[0] + second].filter(
      (word) => word !== '',
    );
    const condition = conditionAfter(text.slice(end, end + 110));
    const phrase = lowerWords([...words, condition].filter((word) => word !== '').join(' '));
    if (tellsSomething(phrase) && phrase.length <= MAX_LENGTH) found.push(phrase);
    if (found.length >= most) break;
  }
  return found;
};

const NOUN = new RegExp(`\\b(?:${PEOPLE})\\b(?!['-])`, 'gi');
const ANIMAL_NOUN = new RegExp(`\\b(?:${ANIMALS})\\b(?!['-])`, 'gi');

/**
 * Replaces a bare noun of the title with the counted phrase where both name the same people: "men" becomes "healthy young men".
 */
const fuller = (titled: string, counted: string | undefined): string =>
  !titled.includes(' ') && counted?.includes(' ') && counted.split(' ').includes(titled) ? counted : titled;

const ABSTRACT_PHRASES = 12;
// Phrases without information on the population: both sexes, or an observation or a treatment in a part of the people.
const TELLS_NOTHING =
  /^(?:men|women|males|females|boys|girls) and (?:men|women|males|females|boys|girls)$|^(?:\S+ ){1,3}(?:with|on|receiving|undergoing) (?:new|no|any|higher|lower|greater|more|less|fewer|both|better|worse|improved|increased|reduced|missing|\S+ administration)\b/i;

/**
 * Returns the first phrase of the abstract that is more specific than a bare noun. A phrase with a condition takes precedence
 * over one with a description.
 */
const ownPhrase = (text: RecordText, noun: RegExp): string | undefined => {
  const found = phrases(text.originalAbstract, noun, ABSTRACT_PHRASES).filter(
    (phrase) => phrase.includes(' ') && !TELLS_NOTHING.test(phrase),
  );
  return found.find((phrase) => / (?:with|undergoing|suffering from|infected with) /.test(phrase)) ?? found[0];
};

/**
 * Reads who was studied, in a few plain words: from the title, else from the phrase that the sample size counts, else from the
 * abstract, else "". `counted` is that phrase, as in "healthy young men".
 */
export const readPopulation = (
  record: SourceRecord,
  text: RecordText,
  details: { readonly species: Species; readonly counted: string },
): string => {
  if (record.stated !== null) return record.stated.population;
  if (details.species === 'in_vitro' || details.species === 'unknown') return '';
  const noun = details.species === 'animal' ? ANIMAL_NOUN : NOUN;
  const titled = phrases(text.originalTitle, noun)[0];
  const at = details.counted === '' ? -1 : text.abstract.indexOf(details.counted);
  const counted =
    at < 0 ? undefined : phrases(text.originalAbstract.slice(at, at + details.counted.length + 100), noun)[0];
  if (titled !== undefined) return fuller(titled, counted);
  return counted ?? ownPhrase(text, noun) ?? '';
};
