/** /supplements/{slug}: answer first, then every claim with its weight. */
import { Type } from 'typebox';
import { type Context, definePage } from '#core/plugin.ts';
import {
  breadcrumbs,
  byName,
  dayInWords,
  inSentence,
  nearSupplements,
  readCited,
  type SourceRow,
  scholarly,
  sourceFinder,
  tierView,
} from '#plugins/evidence/index.ts';
import { type SupplementRow, type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { numberCitations, refsInReadingOrder } from './citations.ts';
import { bestTier } from './outcome.ts';
import { renderProse } from './prose.ts';
import { type HistoryRow, readHistory, readTopicCounts } from './supplement-data.ts';
import { listSupplementPages } from './supplement-list.ts';
import { findingsOf, type Material, referencesOf, SupplementView, safetyOf } from './supplement-view.ts';
import { CATEGORY_WORD, firstSentence, TRADITION_WORDS } from './words.ts';

const loadSupplement = async ({ db, use, config }: Context, slug: string) => {
  const terms = await use(vocabularyPlugin).terms();
  const row = terms.supplements.get(slug);
  if (!row) {
    const meant = await use(vocabularyPlugin).pageFor('supplement', slug);
    if (meant) return { redirect: `/supplements/${meant}`, status: 301 as const };
    return { missing: { resource: 'Supplement', id: slug, near: nearSupplements(slug, terms) } };
  }
  const refs = refsInReadingOrder(row.entry, row.body);
  return db.read(async (em) => {
    const cited = await readCited(em, refs);
    const ids = cited.map(({ sourceId }) => sourceId).sort();
    const find = sourceFinder(cited);
    const numbering = numberCitations(refs, (ref) => find(ref)?.sourceId ?? ref);
    const counts = await readTopicCounts(em, slug, ids);
    const history = await readHistory(em, slug, ids);
    const material = { row, terms, numbering, find, topics: counts.topics };
    const view = viewOf(material, { cited, uncited: counts.uncited, history });
    return { head: headOf(row, view, config.text('BASE_URL'), config.text('REVIEWER_NAME')), view };
  });
};

interface Around {
  readonly cited: readonly SourceRow[];
  readonly uncited: number;
  readonly history: readonly HistoryRow[];
}

const viewOf = (material: Material, { cited, uncited, history }: Around): SupplementView => {
  const { row, terms, numbering, topics } = material;
  const { entry } = row;
  const best = bestTier(cited);
  const references = referencesOf(material);
  const retractedRefs = references.filter(({ source }) => source?.retracted).map(({ n }) => n);
  return {
    crumbs: crumbsOf(row),
    name: row.name,
    nameInSentence: inSentence(row.name),
    latinName: row.latinName,
    category: { name: CATEGORY_WORD[row.category] ?? row.category, href: `/supplements?category=${row.category}` },
    traditions: row.traditions.map((slug) => ({
      name: TRADITION_WORDS[slug] ?? slug,
      href: `/supplements?tradition=${slug}`,
    })),
    synonyms: [...row.synonyms],
    answer: entry.answer,
    best: best && tierView(best),
    findings: findingsOf(material),
    prose: renderProse(row.body, numbering, retractedRefs),
    doses: entry.dosing.map(({ context, dose, duration = '', sources }) => ({
      context,
      dose,
      duration,
      cites: numbering.all(sources),
    })),
    forms: entry.forms.map(({ name, note = '', sources = [] }) => ({ name, note, cites: numbering.all(sources) })),
    safety: safetyOf(material),
    unknown: [...entry.unknown],
    uncited,
    verticals: verticalsOf(row, terms, topics),
    history: history.map((change) => ({ day: dayInWords(change.at), text: changeInWords(change, cited) })),
    editedOn: dayInWords(`${entry.updated_at}T00:00:00Z`),
    reading: entry.further_reading.map(({ name, address }) => ({ name, href: address })),
    references,
    retractedRefs,
  };
};

const crumbsOf = ({ name, slug }: SupplementRow) => [
  { name: 'Supplements', href: '/supplements' },
  { name, href: `/supplements/${slug}` },
];

const verticalsOf = (row: SupplementRow, terms: Terms, topics: Material['topics']): SupplementView['verticals'] =>
  topics
    .flatMap(({ topic, n, best }) => {
      const name = terms.topics.get(topic)?.name;
      return name ? [{ name, href: `/evidence/${row.slug}-${topic}`, count: n, best: best && tierView(best) }] : [];
    })
    .sort(byName);

const changeInWords = ({ kind, subject, before, after }: HistoryRow, cited: readonly SourceRow[]): string => {
  if (kind === 'content.changed') return 'The text of this entry came in or was changed.';
  const source = cited.find(({ sourceId }) => sourceId === subject);
  const title = source ? `“${source.title.replace(/\.$/, '')}”` : 'A source cited here';
  if (kind === 'evidence.retracted') return `${title} was retracted and no longer counts.`;
  if (kind === 'evidence.removed') return `${title} was withdrawn from the base.`;
  return `The tier of ${title} changed from ${before} to ${after}.`;
};

/** A description for search engines: whole words, at most 155 characters. */
const shortened = (text: string): string =>
  text.length <= 155 ? text : `${text.slice(0, 154).replace(/\s+\S*$/, '')}…`;

const headOf = (row: SupplementRow, view: SupplementView, baseUrl: string, reviewer: string) => ({
  title: `${row.name}: evidence, doses as studied, safety`,
  description: shortened(
    `${firstSentence(view.answer)} ${view.findings.length} findings with their sources, doses as studied and safety.`,
  ),
  structuredData: [pageData(row, view, baseUrl, reviewer), breadcrumbs(baseUrl, view.crumbs)],
});

const pageData = (row: SupplementRow, view: SupplementView, baseUrl: string, reviewer: string): object => ({
  '@context': 'https://schema.org',
  '@type': 'MedicalWebPage',
  name: `${row.name}: the evidence`,
  url: `${baseUrl}/supplements/${row.slug}`,
  description: view.answer,
  inLanguage: 'en',
  license: 'https://creativecommons.org/licenses/by/4.0/',
  dateModified: row.entry.updated_at,
  ...(reviewer && { lastReviewed: row.entry.updated_at, reviewedBy: { '@type': 'Person', name: reviewer } }),
  about: {
    '@type': 'DietarySupplement',
    name: row.name,
    ...(row.latinName && { nonProprietaryName: row.latinName }),
    alternateName: row.synonyms,
    url: `${baseUrl}/supplements/${row.slug}`,
    safetyConsideration: view.safety.map(({ statement }) => statement).join(' '),
  },
  citation: view.references.flatMap(({ source }) => (source && !source.retracted ? [scholarly(source)] : [])),
});

export const supplementPage = definePage({
  id: 'catalog.supplement',
  path: '/supplements/{slug}',
  summary: 'One supplement: answer, evidence by outcome, doses, safety, what is not known',
  template: 'catalog/supplement',
  params: Type.Object({ slug: Type.String({ maxLength: 80 }) }),
  view: SupplementView,
  scope: 'public',
  sitemap: 'supplements',
  revision: 1,
  list: listSupplementPages,
  load: (context, { params }) => loadSupplement(context, params.slug),
});
