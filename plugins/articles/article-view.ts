/** Builds the view of an article: the parts of its text with the references that each cites, and the reference list. */
import { type Static, Type } from 'typebox';
import { holdMarks } from '#core/render/citations.ts';
import { type Block, type Item, renderBlocks } from '#core/render/markdown.ts';
import { type Numbering, numberCitations } from '#plugins/catalog/index.ts';
import {
  CrumbList,
  dayInWords,
  HistoryView,
  historyView,
  LinkView,
  OptionalTier,
  type SourceRow,
  SourceView,
  sourceFinder,
  tierView,
  toSourceView,
} from '#plugins/evidence/index.ts';
import type { InteractionBook } from '#plugins/interactions/index.ts';
import { SeverityView, severityView } from '#plugins/interactions/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import type { ArticleRow } from './entities.ts';
import { ARTICLE_CITATIONS, ruleOfRef } from './schemas.ts';

/** An interaction rule as a reference: its statement, and the sources that it cites. */
const RuleReference = Type.Object({
  title: Type.String(),
  href: Type.String(),
  severity: SeverityView,
  tier: OptionalTier,
  effect: Type.String(),
  namedBy: Type.Array(LinkView),
});
type RuleReference = Static<typeof RuleReference>;

const Reference = Type.Object({
  n: Type.Integer(),
  /** Either `source` or `rule` is set; both are null for a reference that was removed from the base. */
  source: Type.Union([SourceView, Type.Null()]),
  rule: Type.Union([RuleReference, Type.Null()]),
});
type Reference = Static<typeof Reference>;

/** A paragraph or a list item, with the numbers of the references that it cites. */
const TextView = Type.Object({ html: Type.String(), cites: Type.Array(Type.Integer()) });

const PartView = Type.Object({
  ...TextView.properties,
  /** Type of the list; "" for other blocks. A list has its text in `items`, and an empty `html`. */
  list: Type.String({ enum: ['', 'ul', 'ol'] }),
  items: Type.Array(TextView),
});
type PartView = Static<typeof PartView>;

export const ArticleView = Type.Object({
  crumbs: CrumbList,
  title: Type.String(),
  answer: Type.String(),
  author: Type.String(),
  publishedOn: Type.String(),
  updatedOn: Type.String(),
  history: HistoryView,
  redFlags: Type.Array(Type.String()),
  seeDoctor: Type.Array(Type.String()),
  lead: Type.Array(PartView),
  sections: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), parts: Type.Array(PartView) })),
  unknown: Type.Array(Type.String()),
  pages: Type.Array(LinkView),
  references: Type.Array(Reference),
  /** Numbers of the references to retracted sources. */
  retractedRefs: Type.Array(Type.Integer()),
});
export type ArticleView = Static<typeof ArticleView>;

export interface Material {
  readonly article: ArticleRow;
  readonly cited: readonly SourceRow[];
  readonly book: InteractionBook;
  readonly terms: Terms;
}

export const refsOf = ({ body }: Pick<ArticleRow, 'body'>): readonly string[] =>
  ARTICLE_CITATIONS.refsInText(body).map(({ ref }) => ref);

const ruleReference = (book: InteractionBook, slug: string): RuleReference | null => {
  const rule = book.rules.find((one) => one.slug === slug);
  if (!rule) return null;
  const { subject, target, entry, sources } = rule;
  const pair = target.kind === 'drug' ? book.pair(subject.slug, target.slug) : null;
  return {
    title: `${subject.name} and ${target.name}`,
    href: pair ? `/interactions/${pair.slug}` : `/interactions/${subject.slug}#${slug}`,
    severity: severityView(entry.severity),
    tier: sources.some(({ kind }) => kind === 'graded') ? tierView(rule.tier) : null,
    effect: entry.effect.trim(),
    namedBy: sources.map(({ row, given }) => ({
      name: row?.title ?? given.authority ?? given.title ?? 'Source',
      href: row ? toSourceView(row).href : (given.address ?? ''),
    })),
  };
};

const numbered = ({ article, cited, book }: Material): { numbering: Numbering; references: Reference[] } => {
  const find = sourceFinder(cited);
  const numbering = numberCitations(refsOf(article), (ref) => find(ref)?.sourceId ?? ref);
  const references = numbering.refs.map((ref, at) => {
    const rule = ruleOfRef(ref);
    const row = rule === null ? find(ref) : null;
    return { n: at + 1, source: row && toSourceView(row), rule: rule === null ? null : ruleReference(book, rule) };
  });
  return { numbering, references };
};

/** Ids that the layout and the template already use. */
const TAKEN = ['content', 'site-q', 'contents-title', 'not-known', 'pages', 'history', 'references'];

const textOf = ({ html, source }: Item, numbering: Numbering) => ({
  html: holdMarks(html),
  cites: numbering.all(ARTICLE_CITATIONS.refsInText(source).map(({ ref }) => ref)),
});

const partOf = (block: Block, numbering: Numbering): PartView => {
  const { list } = block;
  if (!list) return { ...textOf(block, numbering), list: '', items: [] };
  const items = list.items.map((item) => textOf(item, numbering));
  return { html: '', cites: [], list: list.isOrdered ? 'ol' : 'ul', items };
};

const sectionsOf = (blocks: readonly Block[], numbering: Numbering): Pick<ArticleView, 'lead' | 'sections'> => {
  const lead: ArticleView['lead'] = [];
  const sections: ArticleView['sections'] = [];
  for (const block of blocks) {
    const { heading } = block;
    if (heading?.level === 2) sections.push({ id: heading.id, title: heading.text, parts: [] });
    else (sections.at(-1)?.parts ?? lead).push(partOf(block, numbering));
  }
  return { lead, sections };
};

const pagesOf = ({ article, book, terms }: Material): ArticleView['pages'] => {
  const { supplements = [], conditions = [], interactions = [] } = article.entry.about;
  const nameOf = (slug: string): string => book.subjects.get(slug)?.name ?? slug;
  return [
    ...supplements.map((slug) => ({ name: terms.supplements.get(slug)?.name ?? slug, href: `/supplements/${slug}` })),
    ...conditions.map((slug) => ({ name: terms.conditions.get(slug)?.name ?? slug, href: `/conditions/${slug}` })),
    ...interactions.flatMap((slug) =>
      book.address(slug)
        ? [{ name: `Interactions of ${nameOf(slug)}`, href: `/interactions/${book.hubOf('subject', slug)}` }]
        : [],
    ),
  ];
};

/**
 * Builds the view of an article.
 * @param link resolves the address of a link in the text
 */
export const articleView = (material: Material, link: (href: string) => string | null): ArticleView => {
  const { slug, title, entry, body } = material.article;
  const { numbering, references } = numbered(material);
  const retractedRefs = references.filter(({ source }) => source?.retracted).map(({ n }) => n);
  const extensions = [ARTICLE_CITATIONS.extension((refs) => numbering.all(refs), retractedRefs)];
  const blocks = renderBlocks(body, { topLevel: 1, anchors: { taken: TAKEN }, extensions, link });
  return {
    crumbs: [
      { name: 'Articles', href: '/articles' },
      { name: title, href: `/articles/${slug}` },
    ],
    title,
    answer: entry.answer,
    author: entry.author,
    publishedOn: dayInWords(`${entry.published}T00:00:00Z`),
    updatedOn: dayInWords(`${entry.updated}T00:00:00Z`),
    history: historyView([...(entry.changes ?? []), { date: entry.published, what: 'Published.' }]),
    redFlags: [...(entry.red_flags ?? [])],
    seeDoctor: [...(entry.see_doctor ?? [])],
    ...sectionsOf(blocks, numbering),
    unknown: [...entry.unknown],
    pages: pagesOf(material),
    references,
    retractedRefs,
  };
};
