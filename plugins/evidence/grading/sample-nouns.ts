/** Nouns for the people that a sample size counts, in lower case and plural. */
export const PEOPLE_NOUNS: ReadonlySet<string> = new Set(
  `participants patients subjects volunteers individuals people persons adults women men males females children infants
  neonates newborns adolescents teenagers athletes players cyclists runners swimmers rowers skiers triathletes lifters
  students residents veterans smokers workers nurses soldiers cadets recruits mothers girls boys elderly users outpatients
  inpatients schoolchildren toddlers survivors judokas wrestlers boxers fighters sprinters climbers footballers bodybuilders
  ambulatory pairs dyads couples twins physicians respondents donors cases pregnancies candidates seniors preschoolers
  vegetarians vegans omnivores gymnasts marathoners marathonists dancers trainees singletons parturients consumers
  practitioners professionals enrollees nonsmokers kids babies attendees militaries firefighters officers`.split(/\s+/),
);

/** Nouns for the animals that a sample size counts, in lower case and plural. */
export const ANIMAL_NOUNS: ReadonlySet<string> = new Set(
  `rats mice animals rabbits hamsters pigs piglets sows gilts boars barrows broilers chicks chickens hens quails ducks
  ducklings geese turkeys birds lambs sheep ewes calves heifers steers cows cattle goats does kids dogs beagles cats horses
  mares foals monkeys macaques baboons zebrafish fish tilapia trout shrimp gerbils bulls rams bucks pullets`.split(
    /\s+/,
  ),
);

/** Nouns for the studies that a review pools, in lower case and plural. */
export const STUDY_NOUNS: ReadonlySet<string> = new Set(
  'studies trials rcts articles papers publications cohorts comparisons reports'.split(' '),
);

// A phrase between a number and its noun must not contain these words: "20 of 40 patients", "3 days in patients".
const BARRIERS: ReadonlySet<string> = new Set(
  `of in for with to from were was at on by per than vs versus is are had has have who which that received completed
  days day weeks week wk wks months month years year yr yrs h hours hour min minutes mg g kg ug mcg iu ml l mmol nmol
  percent times fold groups group doses dose points as during after before between among both either if when while
  sessions sets visits countries centers centres hospitals clinics sites units cups servings capsules tablets grams
  the these those all our their its this and/or or but did does`.split(/\s+/),
);

export interface NounPhrase {
  /** The words after the number up to and including the noun, as in "healthy young men". */
  readonly phrase: string;
  readonly noun: string;
  /** Index of the first character after the noun. */
  readonly end: number;
}

const WORD = /[a-z][a-z0-9'/-]*|\d+-[a-z-]+|[.;:()%[\]±<>=]|\d+/g;
const WINDOW = 110;
const MAX_WORDS = 9;

/** Reads the noun that a number counts, at most nine words after it; null when there is none. */
export const readNounPhrase = (text: string, from: number, nouns: ReadonlySet<string>): NounPhrase | null => {
  const window = text.slice(from, from + WINDOW);
  let words = 0;
  let last = '';
  let best: NounPhrase | null = null;
  for (const match of window.matchAll(WORD)) {
    const word = match[0];
    const end = match.index + word.length;
    if (end === window.length && from + WINDOW < text.length) break;
    if (nouns.has(word)) {
      best = { phrase: window.slice(0, end).trim(), noun: word, end: from + end };
      continue;
    }
    const isType = last === 'type' && /^[12]$/.test(word);
    if (best !== null || BARRIERS.has(word) || !(isType || /^[a-z]/.test(word)) || ++words > MAX_WORDS) break;
    last = word;
  }
  return best;
};
