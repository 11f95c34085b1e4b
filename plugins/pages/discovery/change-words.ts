/** What changed, as a reader is told: a title, and for each thing its words and its page. */
import { inSentence } from '#plugins/evidence/index.ts';
import { CONDITION_WORDS, type DrugBook, SEVERITY_WORDS, type Severity } from '#plugins/interactions/index.ts';
import { changeInWords, type GradeChange } from '#plugins/outcomes/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import type { ChangedThing, ChangeGroup, NamedSource } from './change-rows.ts';

export interface ToldThing {
  readonly text: string;
  /** On this site; "" where there is none. */
  readonly href: string;
}

export interface ToldChange {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  /** The page to begin with. */
  readonly href: string;
  readonly things: readonly ToldThing[];
  /** How many more the step changed. */
  readonly more: number;
}

export interface Known {
  readonly terms: Terms;
  readonly sources: ReadonlyMap<string, NamedSource>;
  /** Titles of policies and articles, by path below content/. */
  readonly texts: ReadonlyMap<string, string>;
  readonly drugs: Pick<DrugBook, 'drug' | 'classes'>;
}

const CHANGES = '/changes';

const count = (n: number, one: string, many: string): string => `${n.toLocaleString('en-GB')} ${n === 1 ? one : many}`;

/** Of a step that changed several things. */
const TITLES: Readonly<Record<string, (n: number) => string>> = {
  'content.changed': (n) => `${count(n, 'text', 'texts')} new or revised`,
  'evidence.tier_changed': (n) => `${count(n, 'source', 'sources')} graded differently`,
  'evidence.retracted': (n) => `${count(n, 'source', 'sources')} retracted`,
  'evidence.removed': (n) => `${count(n, 'source', 'sources')} withdrawn from the base`,
  'outcome.grade_changed': (n) => `${count(n, 'question', 'questions')} graded differently`,
  'interaction.created': (n) => `${count(n, 'interaction', 'interactions')} entered`,
  'interaction.severity_changed': (n) => `The severity of ${count(n, 'interaction', 'interactions')} changed`,
};

const severity = (values: unknown): string => {
  const code = (values as { severity?: Severity } | undefined)?.severity;
  return code ? SEVERITY_WORDS[code].toLowerCase() : 'not known';
};

const textOf = (path: string, { terms, texts }: Known): ToldThing | null => {
  const [, folder = '', slug = ''] = /^([a-z]+)\/([a-z0-9-]+)\.md$/.exec(path) ?? [];
  if (folder === 'pages' || folder === 'articles') {
    const title = texts.get(path);
    return title
      ? { text: `${title}: the text came in or was revised`, href: `/${folder === 'pages' ? '' : 'articles/'}${slug}` }
      : null;
  }
  const row = folder === 'supplements' ? terms.supplements.get(slug) : terms.conditions.get(slug);
  return row ? { text: `${row.name}: the entry came in or was revised`, href: `/${folder}/${slug}` } : null;
};

const sourceOf = (kind: string, { subject, data }: ChangedThing, { sources }: Known): ToldThing | null => {
  const source = sources.get(subject);
  if (!source) return null;
  const { old, new: now } = data as Record<'old' | 'new', { quality_tier?: string } | undefined>;
  const what =
    kind === 'evidence.tier_changed'
      ? `tier changed from ${old?.quality_tier ?? '?'} to ${now?.quality_tier ?? '?'}`
      : kind === 'evidence.retracted'
        ? 'retracted; it no longer counts'
        : 'withdrawn from the base';
  return { text: `“${source.title}”: ${what}`, href: source.vertical && `/evidence/${source.vertical}` };
};

const gradeOf = ({ subject, data }: ChangedThing, { terms }: Known): ToldThing | null => {
  const change = data as unknown as GradeChange;
  const supplement = terms.supplements.get(change.supplement_slug)?.name;
  const topic = terms.topics.get(change.topic_slug)?.name;
  if (!supplement || !topic) return null;
  return { text: `${supplement} and ${inSentence(topic)}: ${changeInWords(change)}`, href: `/evidence/${subject}` };
};

/** "ssris-and-snris" by its name; what is no slug of the base, such as "warfarin-high-dose", in its own words. */
const otherSide = (slug: string, { terms, drugs }: Known): string => {
  const { name } =
    terms.supplements.get(slug) ?? terms.substances.get(slug) ?? drugs.classes.get(slug) ?? drugs.drug(slug) ?? {};
  return name ? inSentence(name) : slug.replaceAll('-', ' ');
};

const ruleOf = (kind: string, { subject, data }: ChangedThing, known: Known): ToldThing | null => {
  const slug = String(data.supplement ?? '');
  const name = known.terms.supplements.get(slug)?.name ?? known.terms.substances.get(slug)?.name;
  if (!name) return null;
  const [, condition] = /^caution:[^:]+:([^:]+)/.exec(subject) ?? [];
  const other = condition ? (CONDITION_WORDS as Readonly<Record<string, string>>)[condition] : undefined;
  const rule = other?.toLowerCase() ?? otherSide(subject.replace(`${slug}-`, ''), known);
  const what =
    kind === 'interaction.created'
      ? `interaction entered, severity “${severity(data.new)}”`
      : `severity changed from “${severity(data.old)}” to “${severity(data.new)}”`;
  const anchor = subject.includes(':') ? '' : `#${subject}`;
  return { text: `${name} and ${rule}: ${what}`, href: `/interactions/${slug}${anchor}` };
};

const tell = (kind: string, thing: ChangedThing, known: Known): ToldThing | null => {
  if (kind === 'content.changed') return textOf(thing.subject, known);
  if (kind === 'outcome.grade_changed') return gradeOf(thing, known);
  return kind.startsWith('interaction.') ? ruleOf(kind, thing, known) : sourceOf(kind, thing, known);
};

/** Null for a change of which nothing is left to be told, as of a page that is gone. */
export const toldChange = ({ id, kind, at, count: n, things }: ChangeGroup, known: Known): ToldChange | null => {
  if (kind === 'index.published') {
    const added = Number(things[0]?.data.added);
    const title = `${count(added, 'source', 'sources')} came in with an import`;
    return { id, at, title, href: '/explore/sources', things: [], more: 0 };
  }
  const told = things.map((thing) => tell(kind, thing, known)).filter((thing) => thing !== null);
  const [first] = told;
  if (!first) return null;
  const title = n === 1 ? first.text : (TITLES[kind]?.(n) ?? count(n, 'change', 'changes'));
  return { id, at, title, href: n === 1 && first.href ? first.href : CHANGES, things: told, more: n - things.length };
};
