/** Describes changes for readers: a title for each change, and for each changed thing a sentence and a link. */
import type { Static } from 'typebox';
import { inSentence } from '#plugins/evidence/index.ts';
import {
  CONDITION_WORDS,
  cautionSeverityWord,
  type InteractionBook,
  SEVERITY_WORDS,
  type Severity,
  type SeverityView,
} from '#plugins/interactions/index.ts';
import { changeInWords, type GradeChange } from '#plugins/outcomes/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import type { ChangedThing, ChangeGroup, NamedSource } from './change-rows.ts';

export interface ToldThing {
  readonly name: string;
  /** What happened to the thing, as a phrase that follows the name. */
  readonly what: string;
  /** The part of `what` that the title of a change of several things does not contain; "" for none. */
  readonly besides: string;
  /** Severity of a newly entered interaction; null for every other change. */
  readonly severity: Static<typeof SeverityView> | null;
  /** Path on this site; "" when there is no page. */
  readonly href: string;
}

export interface ToldChange {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly title: string;
  /** The page to link: that of the thing if the change has only one, /changes otherwise. */
  readonly href: string;
  readonly things: readonly ToldThing[];
  /** How many more things the step changed than `things` lists. */
  readonly more: number;
}

export interface Known {
  readonly terms: Terms;
  readonly sources: ReadonlyMap<string, NamedSource>;
  /** Titles of policies and articles, by path relative to content/. */
  readonly texts: ReadonlyMap<string, string>;
  readonly book: Pick<InteractionBook, 'drugs' | 'cautionsOf'>;
}

/** Returns one line about a changed thing: "Zinc: the entry came in or was revised". */
export const thingInWords = ({ name, what }: Pick<ToldThing, 'name' | 'what'>): string => `${name}: ${what}`;

const CHANGES = '/changes';

const count = (n: number, one: string, many: string): string => `${n.toLocaleString('en-GB')} ${n === 1 ? one : many}`;

/** Titles of steps that changed several things, by kind. */
const TITLES: Readonly<Record<string, (n: number) => string>> = {
  'evidence.tier_changed': (n) => `${count(n, 'source', 'sources')} graded differently`,
  'evidence.retracted': (n) => `${count(n, 'source', 'sources')} retracted`,
  'evidence.removed': (n) => `${count(n, 'source', 'sources')} withdrawn from the base`,
  'outcome.grade_changed': (n) => `${count(n, 'question', 'questions')} graded differently`,
  'interaction.created': (n) => `${count(n, 'interaction', 'interactions')} entered`,
  'interaction.severity_changed': (n) => `The severity of ${count(n, 'interaction', 'interactions')} changed`,
};

const TEXTS: Readonly<Record<string, readonly [string, string]>> = {
  supplements: ['entry on a supplement', 'entries on supplements'],
  conditions: ['entry on a condition', 'entries on conditions'],
  articles: ['article', 'articles'],
};

const titleOf = ({ kind, folder, count: n }: ChangeGroup): string => {
  if (kind !== 'content.changed') return TITLES[kind]?.(n) ?? count(n, 'change', 'changes');
  const [one, many] = TEXTS[folder] ?? ['page', 'pages'];
  return `${count(n, one, many)} new or revised`;
};

const codeOf = (values: unknown): Severity | undefined => (values as { severity?: Severity } | undefined)?.severity;

/** Returns the function that names a severity. Cautions have words of their own, because a health state is no combination. */
const severityWords = (subject: string, slug: string, { book }: Known): ((code: Severity) => string) => {
  if (!subject.startsWith('caution:')) return (code) => SEVERITY_WORDS[code];
  const own = book.cautionsOf(slug).find(({ id }) => id === subject);
  return (code) => cautionSeverityWord(code, Boolean(own?.entry.dose_threshold));
};

const REVISED = { besides: '', severity: null };

const textOf = (path: string, { terms, texts }: Known): ToldThing | null => {
  const [, folder = '', slug = ''] = /^([a-z]+)\/([a-z0-9-]+)\.md$/.exec(path) ?? [];
  if (folder === 'pages' || folder === 'articles') {
    const title = texts.get(path);
    const href = `/${folder === 'pages' ? '' : 'articles/'}${slug}`;
    return title ? { ...REVISED, name: title, what: 'the text came in or was revised', href } : null;
  }
  const row = folder === 'supplements' ? terms.supplements.get(slug) : terms.conditions.get(slug);
  if (!row) return null;
  return { ...REVISED, name: row.name, what: 'the entry came in or was revised', href: `/${folder}/${slug}` };
};

const sourceOf = (kind: string, { subject, data }: ChangedThing, { sources }: Known): ToldThing | null => {
  const source = sources.get(subject);
  if (!source) return null;
  const { old, new: now } = data as Record<'old' | 'new', { quality_tier?: string } | undefined>;
  const told = {
    name: `“${source.title}”`,
    href: source.vertical && `/evidence/${source.vertical}`,
    severity: null,
  };
  if (kind === 'evidence.tier_changed') {
    const tiers = `from ${old?.quality_tier ?? '?'} to ${now?.quality_tier ?? '?'}`;
    return { ...told, what: `tier changed ${tiers}`, besides: `tier ${tiers}` };
  }
  const what = kind === 'evidence.retracted' ? 'retracted; it no longer counts' : 'withdrawn from the base';
  return { ...told, what, besides: '' };
};

const gradeOf = ({ subject, data }: ChangedThing, { terms }: Known): ToldThing | null => {
  const change = data as unknown as GradeChange;
  const supplement = terms.supplements.get(change.supplement_slug)?.name;
  const topic = terms.topics.get(change.topic_slug)?.name;
  if (!supplement || !topic) return null;
  const what = changeInWords(change);
  const name = `${supplement} and ${inSentence(topic)}`;
  return { name, what, besides: what, severity: null, href: `/evidence/${subject}` };
};

/** Returns the name of the other side of a rule; a slug that no list contains, such as "warfarin-high-dose", as words. */
const otherSide = (slug: string, { terms, book: { drugs } }: Known): string => {
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
  const anchor = subject.includes(':') ? '#cautions' : `#${subject}`;
  const told = { name: `${name} and ${rule}`, href: `/interactions/${slug}${anchor}` };
  const wordOf = severityWords(subject, slug, known);
  const [old, now] = [codeOf(data.old), codeOf(data.new)];
  const quoted = (code: Severity | undefined): string => `“${code ? wordOf(code).toLowerCase() : 'not known'}”`;
  if (kind === 'interaction.created') {
    const what = `interaction entered, severity ${quoted(now)}`;
    return { ...told, what, besides: '', severity: now ? { code: now, word: wordOf(now) } : null };
  }
  const change = `from ${quoted(old)} to ${quoted(now)}`;
  return { ...told, what: `severity changed ${change}`, besides: change, severity: null };
};

const tell = (kind: string, thing: ChangedThing, known: Known): ToldThing | null => {
  if (kind === 'content.changed') return textOf(thing.subject, known);
  if (kind === 'outcome.grade_changed') return gradeOf(thing, known);
  return kind.startsWith('interaction.') ? ruleOf(kind, thing, known) : sourceOf(kind, thing, known);
};

/** Returns the description of a group of changes, or null when none of its things exists any more, such as a deleted page. */
export const toldChange = (group: ChangeGroup, known: Known): ToldChange | null => {
  const { id, kind, at, count: n, things } = group;
  if (kind === 'index.published') {
    const added = Number(things[0]?.data.added);
    const title = `${count(added, 'source', 'sources')} came in with an import`;
    return { id, at, kind, title, href: '/explore/sources', things: [], more: 0 };
  }
  const told = things.map((thing) => tell(kind, thing, known)).filter((thing) => thing !== null);
  const [first] = told;
  if (!first) return null;
  const title = n === 1 ? thingInWords(first) : titleOf(group);
  return {
    id,
    at,
    kind,
    title,
    href: n === 1 && first.href ? first.href : CHANGES,
    things: told,
    more: n - things.length,
  };
};
