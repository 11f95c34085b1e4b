/** Builds the card for the one thing that a query names, shown above all lists: description, evidence and warnings. */
import { type Static, Type } from 'typebox';
import { inSentence, LinkView, OptionalTier, type SupplementCount, tierView } from '#plugins/evidence/index.ts';
import { type InteractionBook, pairToDo, SEVERITIES, SEVERITY_WORDS } from '#plugins/interactions/index.ts';
import { legalStatusOf, type SubstanceRow, type SupplementRow, type Terms } from '#plugins/vocabulary/index.ts';
import type { HitView } from './hits.ts';
import type { QueryName } from './query-names.ts';

const Level = Type.Object({ code: Type.String(), word: Type.String() });

export const BestView = Type.Object({
  /** Kind in words: "Supplement", "Condition", "Medicine" … */
  kind: Type.String(),
  name: Type.String(),
  latin: Type.String(),
  /** "" when the thing has no page. */
  href: Type.String(),
  text: Type.String(),
  why: Type.String(),
  /** False when the words only resemble the name, so that the reader has to confirm it. */
  sure: Type.Boolean(),
  tier: OptionalTier,
  /** Number of its sources; 0 for kinds whose sources are not counted. */
  sources: Type.Integer(),
  /** Most serious caution of its entry; null when there is none. */
  safety: Type.Union([Type.Object({ level: Type.String(), word: Type.String(), text: Type.String() }), Type.Null()]),
  /** Its most serious interaction, the names concerned, and the advice; `toDo` is "" when the advice differs among them. */
  worst: Type.Union([
    Type.Object({ severity: Level, text: Type.String(), toDo: Type.String(), href: Type.String() }),
    Type.Null(),
  ]),
  links: Type.Array(LinkView),
});
export type BestView = Static<typeof BestView>;

export interface Around {
  readonly terms: Terms;
  readonly book: InteractionBook;
  readonly count: SupplementCount | null;
  /** Interactions that the query finds, most serious first. */
  readonly interactions: readonly HitView[];
}

const NOTHING = { sure: true, latin: '', text: '', tier: null, sources: 0, safety: null, worst: null, links: [] };

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const LEVELS = ['warning', 'caution'];
const LEVEL_WORDS: Readonly<Record<string, string>> = { warning: 'Warning', caution: 'Caution' };

const safetyOf = ({ entry }: SupplementRow): BestView['safety'] => {
  const graded = entry.safety.filter(({ level }) => LEVELS.includes(level));
  const [gravest] = graded.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  return gravest
    ? { level: gravest.level, word: LEVEL_WORDS[gravest.level] ?? '', text: gravest.statement.trim() }
    : null;
};

/** Returns the most serious interaction of this thing alone, because the query may name others too. */
const worstOf = (slug: string, book: InteractionBook, href: string): BestView['worst'] => {
  const rules = book.rulesOf(slug);
  const worst = SEVERITIES.find((severity) => rules.some(({ entry }) => entry.severity === severity));
  if (!worst) return null;
  const gravest = rules.filter(({ entry }) => entry.severity === worst);
  const those = gravest.map(({ subject, target }) => (subject.slug === slug ? target.name : subject.name));
  const [first = '', second = '', ...more] = [...new Set(those)].map((name) => inSentence(name));
  const named = more.length
    ? `${first}, ${second} and ${more.length} more`
    : [first, second].filter(Boolean).join(' and ');
  const [toDo = '', ...others] = new Set(gravest.map(({ entry }) => pairToDo(worst, entry.action)));
  const severity = { code: worst, word: SEVERITY_WORDS[worst] };
  return { severity, text: `with ${named}`, toDo: others.length ? '' : toDo, href };
};

const whyOf = ({ words, name, sure }: QueryName): string => {
  if (!sure) return `“${words}” was read as ${name}: check that this is what you mean.`;
  return words.toLowerCase() === name.toLowerCase() ? 'Named in your search.' : `“${words}” is another name of it.`;
};

/** Returns the warning of a supplement: its legal status if it has one, otherwise the most serious caution of its entry. */
const warningOf = (row: SupplementRow, status: SubstanceRow | null): BestView['safety'] =>
  status
    ? { level: 'warning', word: `${capital(status.kind)} substance`, text: status.statement.trim() }
    : safetyOf(row);

const supplementCard = (row: SupplementRow, name: QueryName, { terms, book, count }: Around): BestView => {
  const href = `/supplements/${row.slug}`;
  const interactions = book.address(row.slug) ? `/interactions/${row.slug}` : '';
  return {
    ...NOTHING,
    kind: 'Supplement',
    name: row.name,
    latin: row.latinName,
    href,
    text: row.entry.answer.trim(),
    why: whyOf(name),
    tier: count?.best ? tierView(count.best) : null,
    sources: count?.n ?? 0,
    safety: warningOf(row, legalStatusOf(terms, row.slug)),
    worst: worstOf(row.slug, book, interactions),
    links: [
      { name: 'Findings and doses as studied', href },
      ...(interactions ? [{ name: 'All interactions', href: interactions }] : []),
      { name: 'Products', href: `${href}/products` },
      { name: 'What it was studied for, ranked', href: `${href}/best` },
      { name: 'Ask about it', href: `/chat?about=${row.slug}` },
    ],
  };
};

const conditionCard = (slug: string, name: QueryName, { terms }: Around): BestView | null => {
  const row = terms.conditions.get(slug);
  if (!row) return null;
  const flags = row.entry.red_flags;
  const href = `/conditions/${slug}`;
  return {
    ...NOTHING,
    kind: 'Condition',
    name: row.name,
    href,
    text: row.entry.answer.trim(),
    why: whyOf(name),
    safety: flags.length
      ? { level: 'warning', word: 'See a doctor at once', text: `with: ${flags.join('; ')}.` }
      : null,
    links: [{ name: 'Supplements that were studied for it', href }],
  };
};

const SUBSTANCE_WORDS: Readonly<Record<string, string>> = {
  food: 'Food',
  additive: 'Additive',
  supplement: 'Supplement',
};

const substanceCard = (row: SubstanceRow, name: QueryName, { book }: Around): BestView => {
  const href = book.address(row.slug) ? `/interactions/${book.hubOf('subject', row.slug)}` : '';
  const kind = SUBSTANCE_WORDS[row.kind] ?? `${capital(row.kind)} substance`;
  const isWarning = row.kind === 'banned' || row.kind === 'restricted';
  return {
    ...NOTHING,
    kind,
    name: row.name,
    href,
    text: isWarning ? '' : row.statement,
    why: whyOf(name),
    safety: isWarning && row.statement ? { level: 'warning', word: kind, text: row.statement } : null,
    worst: worstOf(row.slug, book, href),
    links: href ? [{ name: 'All interactions', href }] : [],
  };
};

const medicineCard = (name: QueryName, { book, interactions }: Around): BestView => {
  const kind = name.kind === 'class' ? 'class' : 'drug';
  const href = `/interactions/${book.hubOf(kind, name.slug)}`;
  const [gravest] = interactions;
  return {
    ...NOTHING,
    kind: kind === 'class' ? 'Group of medicines' : 'Medicine',
    name: name.name.charAt(0).toUpperCase() + name.name.slice(1),
    href,
    text: interactions.length
      ? 'What supplements do to it, gravest first, with the sources.'
      : 'No interaction with a supplement is recorded here. That does not mean that none exists.',
    why: whyOf(name),
    worst: gravest?.severity
      ? { severity: gravest.severity, text: `: ${gravest.name}`, toDo: gravest.toDo, href: gravest.href }
      : null,
    links: [
      { name: 'All its interactions', href },
      { name: 'Check it with a supplement', href: `/interactions?${new URLSearchParams({ drug: name.name })}` },
    ],
  };
};

const cardOf = (name: QueryName, around: Around): BestView | null => {
  const { terms } = around;
  if (name.kind === 'condition') return conditionCard(name.slug, name, around);
  if (name.kind === 'drug' || name.kind === 'class') return medicineCard(name, around);
  const [supplement, substance] = [terms.supplements.get(name.slug), terms.substances.get(name.slug)];
  if (name.kind === 'supplement') return supplement ? supplementCard(supplement, name, around) : null;
  return substance ? substanceCard(substance, name, around) : null;
};

const ORDER: readonly QueryName['kind'][] = ['substance', 'supplement', 'condition', 'drug', 'class'];

/** Selects the name for the card: certain names before guesses, then substances first, because they carry warnings. */
export const bestName = (names: readonly QueryName[]): QueryName | null =>
  names.toSorted((a, b) => Number(b.sure) - Number(a.sure) || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))[0] ?? null;

const withDoubt = (card: BestView | null, { sure }: QueryName): BestView | null => card && { ...card, sure };

/** Builds the card of a name. Returns null when there is no name or no entry for it. */
export const bestAnswer = (name: QueryName | null, around: Around): BestView | null =>
  name && withDoubt(cardOf(name, around), name);
