/** Reads a question by means of the vocabulary, the medicine names and the previous turns. */
import type { SearchIndex } from '#core/search/port.ts';
import type { InteractionServices } from '#plugins/interactions/index.ts';
import type { Resolved, Terms, VocabularyServices } from '#plugins/vocabulary/index.ts';
import { type Mention, type NameBook, namesInText } from './names-in-text.ts';
import type { AskRequest, HistoryTurn } from './port.ts';
import { isReversed, leftOut, type Medicine, type Question, readAsks, readAsksOfNamed, restOf } from './question.ts';

interface Words {
  readonly vocabulary: VocabularyServices;
  readonly interactions: InteractionServices;
  readonly index: SearchIndex;
}

const LEANS_ON_EARLIER =
  /^(?:and|but|also|so|ok|okay|what about|how about|what if)\b|\b(?:it|its|they|them|that one|this one|the same|those)\b/i;
/** Maximum length in words of a question that continues the last subject when it has none of its own. */
const SHORT_QUESTION_WORDS = 6;
const SUBJECTS = new Set(['supplement', 'substance', 'drug', 'class']);
const isSubject = ({ kind }: Mention): boolean => kind === 'supplement' || kind === 'substance';

const LEAST_GUESSED_MEDICINE = 7;

/**
 * Returns guesses for misspelt names among words that occur in no source and no list. A known word is never reinterpreted.
 */
const guesses = async (book: NameBook, text: string, words: Words): Promise<Mention[]> => {
  const found: Mention[] = [];
  for (const { 0: word, index: start } of text.matchAll(/\p{L}{5,}/gu)) {
    if (words.index.frequency(word) > 0) continue;
    const starts = (name: string): boolean => name[0]?.toLowerCase() === word[0]?.toLowerCase();
    const sameStart = ({ name }: { readonly name: string }): boolean => starts(name);
    // "Tumeric" is similar to "turmeric", which is a synonym of curcumin.
    const named = await words.vocabulary.resolve(word, ['supplement', 'condition']);
    const others = named?.kind === 'supplement' ? (book.terms.supplements.get(named.slug)?.synonyms ?? []) : [];
    const isNear = (name: string): boolean => starts(name) && Math.abs(name.length - word.length) <= 2;
    const place = { input: word, match: 'typo' as const, start, end: start + word.length };
    if (named && (sameStart(named) || others.some(isNear))) {
      found.push({ kind: named.kind, slug: named.slug, name: named.name, ...place });
      continue;
    }
    // Short medicine names are similar to everyday words: "alert" is not a misspelt "Axert".
    const medicine = word.length >= LEAST_GUESSED_MEDICINE ? book.drugs.resolve(word) : null;
    if (!medicine || !sameStart(medicine)) continue;
    if (medicine.drug) found.push({ kind: 'drug', slug: medicine.drug.slug, name: medicine.drug.name, ...place });
    else if (medicine.class)
      found.push({ kind: 'class', slug: medicine.class.slug, name: medicine.class.name, ...place });
  }
  return found;
};

const namesIn = async (book: NameBook, text: string, words: Words): Promise<readonly Mention[]> => {
  const sure = namesInText(book, text);
  const guessed = await guesses(book, text, words);
  const free = guessed.filter((guess) => !sure.some(({ start, end }) => guess.start < end && start < guess.end));
  return [...sure, ...free].sort((a, b) => a.start - b.start);
};

/** Returns the names in the user's last turn that named a supplement or medicine. */
const earlierNames = (book: NameBook, history: readonly HistoryTurn[]): readonly Mention[] => {
  for (const { role, content } of history.toReversed()) {
    if (role !== 'user') continue;
    const names = namesInText(book, content.slice(0, 2_000));
    if (names.some(({ kind }) => SUBJECTS.has(kind))) return names;
  }
  return [];
};

/** Returns the medicines of all the user's earlier turns: a change of subject does not mean that they stopped taking them. */
const earlierMedicines = (book: NameBook, history: readonly HistoryTurn[]): readonly Medicine[] =>
  medicinesOf(
    history.flatMap(({ role, content }) => (role === 'user' ? namesInText(book, content.slice(0, 2_000)) : [])),
  );

/** Returns what a follow-up leaves out: its subject or, when it names a new subject, the previous condition or topic. */
const carriedOver = (own: readonly Mention[], earlier: readonly Mention[]): readonly Mention[] => {
  if (!own.some(({ kind }) => SUBJECTS.has(kind))) {
    const topical = own.some(({ kind }) => kind === 'condition' || kind === 'topic');
    return topical ? earlier.filter(({ kind }) => SUBJECTS.has(kind)) : earlier;
  }
  if (!own.some(isSubject)) return earlier.filter(isSubject);
  const topical = own.some(({ kind }) => kind === 'condition' || kind === 'topic');
  return topical ? [] : earlier.filter(({ kind }) => kind === 'condition' || kind === 'topic');
};

const leans = (text: string, own: readonly Mention[]): boolean =>
  LEANS_ON_EARLIER.test(text) ||
  (!own.some(({ kind }) => SUBJECTS.has(kind)) && text.split(/\s+/).length <= SHORT_QUESTION_WORDS);

const rowsOf = <R>(mentions: readonly Mention[], kind: Mention['kind'], rows: ReadonlyMap<string, R>): R[] => {
  const slugs = [...new Set(mentions.filter((mention) => mention.kind === kind).map(({ slug }) => slug))];
  return slugs.flatMap((slug) => rows.get(slug) ?? []);
};

const echo = ({ input, kind, slug, match }: Mention): Question['resolved'][number] => ({
  input,
  id: slug,
  type: kind,
  match_type: match,
});

const asMention = ({ kind, slug, name, input, match_type: match }: Resolved): Mention => ({
  kind,
  slug,
  name,
  input,
  match,
  start: 0,
  end: 0,
});

interface Given {
  readonly names: readonly Mention[];
  readonly limits: Question['limits'];
}

/** Returns the supplement and topic that the request gives as parameters, and the limits that they set. */
const givenNames = async (request: AskRequest, terms: Terms, vocabulary: VocabularyServices): Promise<Given> => {
  const named = request.supplement ? await vocabulary.resolve(request.supplement, ['supplement', 'substance']) : null;
  const pair = request.vertical ? vocabulary.verticalName(request.vertical, terms) : null;
  const ofPair = pair
    ? [
        { ...pair.supplement, kind: 'supplement' as const },
        { ...pair.topic, kind: 'topic' as const },
      ].map(({ kind, slug, name }) => ({ kind, slug, name, input: name, match: 'exact' as const, start: 0, end: 0 }))
    : [];
  const unknown = [
    ...(request.supplement && !named ? [{ field: 'supplement' as const, value: request.supplement }] : []),
    ...(request.vertical && !pair ? [{ field: 'vertical' as const, value: request.vertical }] : []),
  ];
  return {
    names: [...(named ? [asMention(named)] : []), ...ofPair],
    limits: { subject: named?.slug ?? null, vertical: request.vertical ?? null, unknown },
  };
};

const medicinesOf = (mentions: readonly Mention[]): Medicine[] => {
  const found = new Map<string, Medicine>();
  for (const { kind, slug, name, input } of mentions)
    if ((kind === 'drug' || kind === 'class') && !found.has(slug)) found.set(slug, { kind, slug, name, input });
  return [...found.values()];
};

/** Reads a question as data: names, topics and intents. Never throws on unusual text. */
export const readQuestion = async (request: AskRequest, words: Words): Promise<Question> => {
  const terms = await words.vocabulary.terms();
  const book = { terms, drugs: await words.interactions.drugs() };
  const text = request.question.trim();
  const own = await namesIn(book, text, words);
  const { names: given, limits } = await givenNames(request, terms, words.vocabulary);
  const followsUp = request.history.length > 0 && !given.some(isSubject) && leans(text, own);
  const isTopical = ({ kind }: Mention): boolean => kind === 'condition' || kind === 'topic';
  const asksIfSafe = readAsks(text).has('harm') && !own.some(isTopical);
  // "Is it safe?" is about the supplement, not about the previous outcome.
  const carried = (followsUp ? carriedOver(own, earlierNames(book, request.history)) : []).filter(
    (mention) => !(asksIfSafe && isTopical(mention)),
  );
  const isTopic = own.some(isTopical);
  const unwanted = isTopic && !given.some(isSubject) ? leftOut(text, own) : [];
  const mentions = [...own.filter((mention) => !unwanted.includes(mention)), ...given, ...carried];
  const conditions = rowsOf(mentions, 'condition', terms.conditions);
  const topicSlugs = [
    ...rowsOf(mentions, 'topic', terms.topics).map(({ slug }) => slug),
    ...conditions.flatMap(({ topics }) => topics),
  ];
  const asks = mentions.some(isSubject) ? readAsksOfNamed(text) : readAsks(text);
  // For a question of harm the topic `safety` adds nothing.
  const slugs = [...new Set(topicSlugs)].filter((slug) => slug !== 'safety' || !asks.has('harm'));
  const medicines = medicinesOf(mentions);
  const extra = [...new Set([...given, ...carried].map(({ name }) => name))].filter(
    (name) => !text.toLowerCase().includes(name.toLowerCase()),
  );
  return {
    text,
    searchText: [...extra, text].join(' ').slice(0, 500),
    supplements: rowsOf(mentions, 'supplement', terms.supplements),
    substances: rowsOf(mentions, 'substance', terms.substances),
    excluded: [
      ...rowsOf(unwanted, 'supplement', terms.supplements),
      ...rowsOf(unwanted, 'substance', terms.substances),
    ],
    conditions,
    topics: slugs.flatMap((slug) => terms.topics.get(slug) ?? []),
    medicines,
    background: earlierMedicines(book, request.history).filter(
      ({ slug }) => !medicines.some((medicine) => medicine.slug === slug),
    ),
    asks,
    rest: restOf(text, own),
    reversed: isReversed(text),
    followsUp: carried.length > 0,
    limits,
    mentions: own,
    resolved: [...new Map(mentions.map((mention) => [`${mention.kind}/${mention.slug}`, echo(mention)])).values()],
  };
};
