/**
 * Computes the features with which a model decides whether a supplement was given or taken in a study, or only named: as a level
 * in the blood, a material, a crop, or a different word of the same spelling.
 */
import type { SourceRecord } from '../source-record.ts';
import { EATEN_NEXT, INTAKE } from './exclusions.ts';
import type { Fields, Finding } from './fields.ts';
import { isSomethingElse, isStock, namedByRules } from './name-rules.ts';
import { tokenise } from './tokens.ts';
import type { Where } from './vocabulary.ts';

/** Names of features with their values; missing features are 0. */
export type GivenFeatures = ReadonlyMap<string, number>;

/** Patterns for words that indicate the subject of a study. */
const WORLDS: Readonly<Record<string, RegExp>> = {
  people:
    /\b(?:patients?|participants?|volunteers?|subjects|women|men|children|infants|adults|adolescents|athletes|elderly|pregnan\w+|healthy (?:men|women|adults|volunteers))\b/gi,
  trial: /\b(?:placebo|randomi[sz]ed|double-blind|clinical trials?|meta-analys[ie]s|systematic review|cohort)\b/gi,
  animals:
    /\b(?:rats?|mice|mouse|rabbits?|piglets?|pigs?|broilers?|chickens?|hens?|lambs?|sheep|calves|cows?|steers?|zebrafish|fish|wistar|sprague-dawley|c57bl|murine)\b/gi,
  cells: /\b(?:cells?|cell lines?|in vitro|apoptosis|caspase-?\d?|signall?ing|mrna|western blot|pathways?)\b/gi,
  crops:
    /\b(?:seedlings?|cultivars?|soils?|irrigation|salinity|fertili[sz]\w+|germination|arabidopsis|photosynthe\w+|leaf area|roots? length|shoots?|harvest\w*|crops?|agronomic|rhizo\w+|plant growth|foliar|biomass|greenhouse|microalga\w*|stomatal|yield|genome|genotypes?|transcriptom\w+)\b/gi,
  food: /\b(?:shelf[- ]life|sensory|texture|rheolog\w+|processing|storage|beverages?|noodles|bread|dough|emulsions?|drying|extraction (?:yield|method)|physicochemical|colou?r|starch|homogeni[sz]ation|fermentation|packag\w+|film)\b/gi,
  materials:
    /\b(?:nanocomposites?|electrodes?|cataly\w+|alloys?|cement|scaffolds?|hydrogels?|adsor\w+|wastewater|batter(?:y|ies)|corrosion|coatings?|polymers?|membranes?|oxidation of|pollutants?|synthesi[sz]ed|nano\w+|photo(?:catalytic|thermal)|implants?|stents?|biodegradable|mechanical properties|slag)\b/gi,
  assays:
    /\b(?:hplc|chromatograph\w*|spectromet\w+|spectroscop\w+|voltammet\w+|detection limit|sensors?|fluorescen\w+|probes?|quantification|validation|analytical|imaging|docking|in silico|crystal structure|kinetics|tracer)\b/gi,
  genes:
    /\b(?:mutations?|mutants?|polymorphisms?|knockout|receptors?|channels?|transporters?|expression of|enzyme activity|biosynthesis|homeostasis|deficien\w+)\b/gi,
};

/** Number of words on each side of a name that become features, as in "effects of zinc" and "treated with zinc". */
const WINDOW = 3;

const log = (count: number): number => Math.log1p(count);

const countWorlds = (record: SourceRecord): ReadonlyMap<string, number> => {
  const text = `${record.title} . ${record.abstract.slice(0, 6_000)} . ${record.meshTerms.join(' . ')}`;
  return new Map(Object.entries(WORLDS).map(([name, pattern]) => [name, log(text.match(pattern)?.length ?? 0)]));
};

/** Features of the record as a whole, shared by all supplements that it names. */
export interface RecordCues {
  readonly worlds: ReadonlyMap<string, number>;
  readonly words: readonly string[];
  /** Result of the rules for names on the record. */
  readonly rules: ReadonlyMap<string, Where>;
}

export const readCues = (record: SourceRecord, fields: Fields): RecordCues => ({
  rules: namedByRules(fields),
  worlds: countWorlds(record),
  words: [
    ...new Set(tokenise(record.title).map(({ word }) => `title:${word}`)),
    ...record.meshTerms.map((term) => `mesh:${term.toLowerCase()}`),
    ...record.publicationTypes.map((type) => `type:${type.toLowerCase()}`),
  ],
});

const DOSE = /^(?:mg|g|mcg|iu|ml|mm|um|µm|nm|ppm|kg|percent)$/;

const isDosed = ({ tokens, from, to }: Finding): boolean =>
  [...tokens.slice(Math.max(0, from - 5), from), ...tokens.slice(to, to + 6)].some(
    ({ word }, at, near) => DOSE.test(word) && /^\d/.test(near[at - 1]?.word ?? ''),
  );

/** Counts how often each feature occurs in the mentions of one supplement. */
const mentionFeatures = (mentions: readonly Finding[], add: (name: string, value?: number) => void): void => {
  for (const mention of mentions) {
    const { where, tokens, from, to } = mention;
    add(`n:${where}`);
    if (isStock(mention)) add(`stock:${where}`);
    if (isSomethingElse(mention)) add(`something else:${where}`);
    if (where === 'abstract') {
      if (INTAKE.test(mention.text)) add('intake sentence');
      if (mention.inConclusion) add('in conclusion');
      if (isDosed(mention)) add('dosed');
    }
    // The words of the same sentence, descriptor or title within 25 tokens of the name; each word counts once per mention.
    for (const word of new Set(tokens.slice(Math.max(0, from - 25), to + 25).map(({ word }) => word)))
      add(`said:${/^\d/.test(word) ? '#' : word}`);
    if (EATEN_NEXT.has(tokens[to]?.word ?? '')) add('eaten next');
    for (let step = 1; step <= WINDOW; step += 1) {
      const [left, right] = [tokens[from - step]?.word, tokens[to + step - 1]?.word];
      const place = step === 1 ? '1' : 'near';
      if (left) add(`left ${place}:${/^\d/.test(left) ? '#' : left}`);
      if (right) add(`right ${place}:${/^\d/.test(right) ? '#' : right}`);
    }
    if (from === 0) add(`begins ${where}`);
  }
};

/** Returns the features of one supplement in a record; `mentions` are its findings. */
export const givenFeatures = (
  slug: string,
  mentions: readonly Finding[],
  fields: Fields,
  { cues, named, total }: { readonly cues: RecordCues; readonly named: number; readonly total: number },
): GivenFeatures => {
  const counts = new Map<string, number>();
  mentionFeatures(mentions, (name, value = 1) => counts.set(name, (counts.get(name) ?? 0) + value));
  const features = new Map([...counts].map(([name, count]) => [name, log(count)]));
  const place = counts.has('n:title') ? 'title' : counts.has('n:terms') ? 'terms' : 'abstract';
  features.set(`place:${place}`, 1);
  features.set(`supplement:${slug}`, 1);
  features.set(`rule:${cues.rules.get(slug) ?? 'none'}`, 1);
  features.set('share of mentions', mentions.length / Math.max(1, total));
  features.set('others named', log(named - 1));
  features.set('only acronyms', mentions.every(({ entry }) => entry.acronym) ? 1 : 0);
  features.set('no abstract', fields.hasAbstract ? 0 : 1);
  const stock =
    (counts.get('stock:title') ?? 0) + (counts.get('stock:abstract') ?? 0) + (counts.get('stock:terms') ?? 0);
  features.set('stock share', stock / mentions.length);
  features.set('something else share', mentions.filter(isSomethingElse).length / mentions.length);
  for (const [world, count] of cues.worlds) {
    features.set(`world:${world}`, count);
    features.set(`${place} in ${world}`, count > 0 ? 1 : 0);
  }
  for (const word of cues.words) features.set(word, 1);
  return features;
};
