import type { SourceRecord, Species } from '../source-record.ts';
import type { RecordText } from './record-text.ts';

// Bare "fish", "cat", "dog", "horse", "goat" and "cow" also name foods and herbs (fish oil, cat's claw, horse chestnut, cow's
// milk), so these count only as plural subjects or after "in".
const ANIMAL =
  'rats?|mice|mouse|murine|rodents?|rabbits|hamsters?|guinea pigs?|gerbils?|piglets?|sows?|pigs|swine|porcine|boars?|barrows|broilers?|broiler chickens?|laying hens?|hens|chicks|chickens|quails?|ducks|ducklings|geese|turkeys|poultry|lambs|sheep|ewes|ovine|calves|heifers|steers|dairy cows|beef cattle|cattle|cows|bovine|goats|goat kids|does|dogs|beagles?|canines?|cats|horses|equines?|mares|foals|monkeys|macaques?|baboons?|primates|zebrafish|tilapia|trout|carp|sea ?bass|sea ?bream|salmon fry|shrimps?|honey ?bees?|drosophila|fruit flies|caenorhabditis elegans|c\\. elegans|silkworms?|ferrets|minks?|tadpoles?|frogs?';

const ANIMAL_IN_TITLE = new RegExp(
  `\\b(?:in|of|on|by|from|for|to)\\s(?:[a-z0-9',-]+\\s){0,5}(?:${ANIMAL})\\b|\\b(?:rats?|mice|mouse|murine|zebrafish|broilers?|piglets?|sows|rodents?|drosophila|wistar|sprague[- ]dawley|c57bl/?6|beagles?|laying hens?|animal model|animal studies)\\b`,
);
const NOT_ANIMAL =
  /\b(?:cat's claw|cats? claw|fish oil|does not|does it|goat'?s? milk|cow'?s? milk|bovine colostrum|bovine lactoferrin|bovine milk|porcine (?:thyroid|gelatin)|bovine (?:serum|collagen|cartilage)|chicken essence|essence of chicken|turkey tail|ducks? embryo|carp(?:al)|guinea pepper|horse chestnut|in turkey\b(?!s)|primates? and humans)/g;
const STRAIN =
  /\b(?:wistar|sprague[- ]?dawley|c57bl\/?6|balb\/?c|long[- ]evans|zucker|fischer 344|f344|icr mice|kunming mice|swiss albino|db\/db|ob\/ob|apoe-\/-|new zealand white|kk-ay|spontaneously hypertensive rats?|transgenic mice|knock-?out mice|nude mice|albino (?:rats|mice)|ross 308|cobb 500|holstein|yorkshire|landrace|duroc|hy-line)\b/;
const ANIMAL_SUBJECT = new RegExp(
  `\\b(?:${ANIMAL})\\b(?:\\s[a-z-]+){0,3}?\\s(?:were|was|received|fed|randomly|divided|weighing|subjected|treated|\\(n)|\\b(?:\\d+|[a-z]+ty|[a-z]+teen|six|eight|ten|twelve)(?:\\s(?:male|female|adult|young|old|weaned|healthy|mature|aged|crossbred|week-old|day-old|one-day-old|pregnant|multiparous|albino|[a-z0-9/-]{2,14})){0,4}\\s(?:${ANIMAL})\\b|\\b(?:male|female|diabetic|obese|aged|old|young|treated|control|fed|weaned|albino|growing|lactating) (?:${ANIMAL})\\b|\\b(?:rat|mouse|murine|rodent|animal|porcine) (?:model|models|study)\\b`,
  'g',
);
const HUMAN_NOUN =
  'patients?|participants?|volunteers?|women|woman|men|adults?|children|infants?|neonates|newborns|adolescents?|people|persons|individuals|athletes|players|students|cyclists|runners|swimmers|skiers|boys|girls|mothers|males|females|subjects|older adults|elderly|humans?|cases|smokers|outpatients|inpatients|residents|veterans|soldiers|schoolchildren|toddlers|pregnancies|survivors|lifters|men and women';
const HUMAN_SUBJECT = new RegExp(
  `\\b(?:${HUMAN_NOUN})\\b(?:\\s[a-z-]+){0,2}?\\s(?:were|was|who|with|aged|received|consumed|ingested|completed|underwent|performed|participated|\\(n)|\\b(?:healthy|elderly|pregnant|postmenopausal|obese|overweight|trained|older|young|diabetic|hospitali[sz]ed) (?:${HUMAN_NOUN})\\b|\\b(?:randomized|randomised|recruited|enrolled) (?:[a-z0-9,-]+\\s){0,3}(?:${HUMAN_NOUN})\\b|\\b\\d[\\d,]{0,11}(?:\\s[a-z-]{2,20}){0,3}\\s(?:${HUMAN_NOUN})\\b|\\binformed consent\\b|\\byears of age\\b|\\byear-old\\b|\\bself-reported\\b|\\bquestionnaires?\\b`,
  'g',
);
const HUMAN_IN_TITLE =
  /\b(?:patients?|participants?|volunteers?|women|men|adults?|children|infants?|neonates|newborns|adolescents?|people|persons|individuals|athletes|players|students|cyclists|runners|swimmers|boys|girls|mothers|schoolchildren|outpatients|pregnancy|pregnant|elderly|humans?|older adults|critically ill|toddlers|survivors|nhanes)\b/;
const CELLS =
  /\b(?:in[- ]vitro|cell lines?|cultured (?:human )?[a-z-]+ ?cells?|cells were (?:treated|cultured|incubated|exposed|pre-?treated)|hepg2|hela|mcf-7|mda-mb-231|caco-2|huvecs?|raw ?264\.7|3t3-l1|pc-?12 cells|sh-sy5y|hek-?293t?|a549|ht-29|hct-?116|jurkat|lncap|u937|thp-1|molecular docking|in silico|molecular dynamics|recombinant protein|dynamic light scattering|crystal structure|isolated mitochondria|explants|disc diffusion|minimum inhibitory concentration|escherichia coli strains?|nmr spectroscopy|mass spectrometry method|hplc method)\b/g;
const CELLS_IN_TITLE =
  /\bin[- ]vitro\b(?! fertili[sz]ation)|\b(?:cell lines?|cultured [a-z-]+|[a-z]+ cells\b|hepg2|hela|mcf-7|caco-2|huvecs?|raw ?264\.7|3t3-l1|pc-?12 cells|sh-sy5y|hek-?293|a549|fibroblasts|keratinocytes|adipocytes|macrophages|molecular docking|in silico|myotubes|c2c12)\b/;

const count = (text: string, pattern: RegExp): number => {
  let found = 0;
  for (const _ of text.matchAll(pattern)) if (++found >= 12) break;
  return found;
};

const fromMesh = (record: SourceRecord): Species | null => {
  const terms = new Set(record.meshTerms.map((term) => term.toLowerCase()));
  const humans = terms.has('humans');
  const animals = terms.has('animals');
  if (humans && !animals) return 'human';
  if (animals && !humans) return 'animal';
  return null;
};

// A title that names both, as in "in volunteers and rats", does not decide.
const BOTH_IN_TITLE =
  /\b(?:humans?|patients|volunteers|women|men|children|adults|participants|subjects)(?:,| and| or)\b|\b(?:and|or|to) (?:in )?(?:[a-z-]+ )?(?:humans?|patients|volunteers|women|men|children|participants)\b/;

const fromTitle = (title: string): Species | null => {
  const plain = title.replace(NOT_ANIMAL, ' ');
  return ANIMAL_IN_TITLE.test(plain) && !BOTH_IN_TITLE.test(plain) ? 'animal' : null;
};

const TRIAL_TYPE = /^(?:rct|randomi[sz]ed controlled trial|clinical trial.*|controlled clinical trial|case reports?)$/i;
// Words that are weak evidence alone, but decide where no word indicates animals or cells.
const HUMAN_HINT =
  /\b(?:participants?|subjects|patients?|volunteers?|women|men|adults|children|infants|athletes?|athletic|players|sports?|ergogenic|exercise|muscular strength|physical performance|humans?|clinical (?:trials?|stud(?:y|ies))|randomi[sz]ed|people|individuals|pregnancy|dietary guidelines)\b/;
const BODY_PART = 8_000;

const fromCounts = (record: SourceRecord, text: RecordText): Species => {
  const own = text.ownWork.replace(NOT_ANIMAL, ' ');
  const isTrial = record.publicationTypes.some((type) => TRIAL_TYPE.test(type));
  const animals = count(own, ANIMAL_SUBJECT) + (STRAIN.test(own) ? 4 : 0);
  const humans = count(own, HUMAN_SUBJECT) + (HUMAN_IN_TITLE.test(text.title) ? 4 : 0) + (isTrial ? 4 : 0);
  const cells = count(own, CELLS) + (CELLS_IN_TITLE.test(text.title) ? 3 : 0);
  if (animals >= 2 && animals > humans) return 'animal';
  if (humans >= 1 && humans >= animals && humans >= cells) return 'human';
  if (cells >= 2 && cells > humans) return animals >= 2 ? 'animal' : 'in_vitro';
  if (animals >= 1 && humans === 0) return 'animal';
  if (animals > 0 || cells > 0) return 'unknown';
  if (HUMAN_HINT.test(text.title) || HUMAN_HINT.test(own)) return 'human';
  return count(text.body.slice(0, BODY_PART), HUMAN_SUBJECT) >= 2 ? 'human' : 'unknown';
};

/**
 * Detects who or what was studied. A title that names animals takes precedence over everything except an editor's value, then
 * MeSH `Humans` and `Animals`, then the counts of phrases outside the background in which people, animals or cells are the
 * subject.
 */
export const detectSpecies = (record: SourceRecord, text: RecordText): Species => {
  if (record.stated !== null) return record.stated.species;
  if (record.origin === 'ctgov') return 'human';
  const title = fromTitle(text.title);
  const mesh = fromMesh(record);
  if (title !== null) return title;
  if (mesh === 'human')
    return count(text.ownWork, CELLS) >= 3 && !HUMAN_IN_TITLE.test(text.title) && CELLS_IN_TITLE.test(text.title)
      ? 'in_vitro'
      : 'human';
  return mesh ?? fromCounts(record, text);
};
