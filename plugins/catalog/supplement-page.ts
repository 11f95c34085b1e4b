/** Page /supplements/{slug}: the answer first, then every claim with the strength of its evidence. */
import { Type } from 'typebox';
import { type Context, definePage } from '#core/plugin.ts';
import { type YearCount, yearColumns } from '#core/render/charts/year-columns.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import {
  byName,
  dayInWords,
  historyView,
  inSentence,
  nearSupplements,
  readCited,
  type SourceRow,
  sourceFinder,
  tierView,
  toSourceView,
} from '#plugins/evidence/index.ts';
import { interactionsPlugin, safetyFloor } from '#plugins/interactions/index.ts';
import { type GradeChange, changeInWords as gradeChangeInWords, outcomesPlugin } from '#plugins/outcomes/index.ts';
import { type MarketProfile, productsPlugin } from '#plugins/products/index.ts';
import { ORIGIN_LEGEND, type SupplementRow, type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { CATEGORY_WORD, firstSentence, TRADITION_WORDS } from './catalog-labels.ts';
import { numberCitations, refsInReadingOrder } from './citations.ts';
import { dosesView } from './doses-view.ts';
import { intakeView } from './intake-view.ts';
import { interactionParts } from './interaction-parts.ts';
import { legalStatusView } from './legal-status.ts';
import { readMarketPart } from './market-part.ts';
import { bestTier } from './outcome.ts';
import { renderProse } from './prose.ts';
import { type SafetySection, safetySection } from './safety-section.ts';
import { idViews } from './standard-ids.ts';
import {
  countInPeople,
  type HistoryRow,
  readHistory,
  readTopicCounts,
  readUnread,
  type Unread,
} from './supplement-data.ts';
import { headOf } from './supplement-head.ts';
import { listSupplementPages } from './supplement-list.ts';
import {
  answersOf,
  findingsOf,
  type Material,
  referencesOf,
  SupplementView,
  safetyOf,
  unmeasuredOf,
} from './supplement-view.ts';

/** Loads a supplement's page. The page and its second layout are one view at two addresses. */
export const loadSupplement = async (context: Context, slug: string, prefix = '') => {
  const { db, use, config } = context;
  const terms = await use(vocabularyPlugin).terms();
  const row = terms.supplements.get(slug);
  if (!row) {
    const meant = await use(vocabularyPlugin).pageFor('supplement', slug);
    if (meant) return { redirect: `${prefix}/supplements/${meant}`, status: 301 as const };
    return { missing: { resource: 'Supplement', id: slug, near: nearSupplements(slug, terms) } };
  }
  const others = await readOthers(context, row, terms);
  const outcomes = use(outcomesPlugin);
  await outcomes.level();
  const refs = refsInReadingOrder(row.entry, row.body);
  return db.read(async (em) => {
    const cited = await readCited(em, refs);
    const ids = cited.map(({ sourceId }) => sourceId).sort();
    const find = sourceFinder(cited);
    const numbering = numberCitations(refs, (ref) => find(ref)?.sourceId ?? ref);
    const counts = await readTopicCounts(em, slug, ids);
    const unread = await readUnread(em, slug, SHOWN_UNREAD);
    const inPeople = await countInPeople(em, slug);
    const history = await readHistory(em, slug, ids);
    const grades = new Map((await outcomes.ofSupplement(slug, em)).map((grade) => [grade.topic_slug, grade]));
    const gradeChanges = await outcomes.historyOfSupplement(slug, SHOWN_CHANGES, em);
    const material = { row, terms, numbering, find, topics: counts.topics, grades };
    const { uncited, years } = counts;
    const view = viewOf(material, { cited, uncited, unread, inPeople, years, history, gradeChanges, ...others });
    return { head: headOf(row, view, config.text('BASE_URL'), config.text('REVIEWER_NAME')), view };
  });
};

/** Reads the data that other plugins have on the supplement. */
const readOthers = async ({ use }: Context, row: SupplementRow, terms: Terms) => {
  const { slug } = row;
  const interactions = use(interactionsPlugin);
  const rules = await interactions.ofSupplement(slug);
  const book = await interactions.book();
  const market = await readMarketPart(use(productsPlugin), slug);
  const biomarkers = await use(biomarkersPlugin).ofSupplement(slug);
  return {
    biomarkers: biomarkers.map((marker) => ({ name: marker.name, href: `/biomarkers/${marker.slug}` })),
    interactions: interactionParts(book, slug, rules),
    floor: safetyFloor(book, row, terms.intakes.get(slug)),
    market: market?.part ?? null,
    labels: market?.labels ?? null,
  };
};

interface Around extends Pick<SupplementView, 'biomarkers' | 'interactions' | 'market'> {
  readonly cited: readonly SourceRow[];
  readonly floor: ReturnType<typeof safetyFloor>;
  readonly uncited: number;
  readonly unread: Unread;
  readonly inPeople: number;
  readonly years: readonly YearCount[];
  readonly labels: MarketProfile['dose_distribution'];
  readonly history: readonly HistoryRow[];
  readonly gradeChanges: readonly GradeChange[];
}

/** Maximum number of grade changes printed on the page; the API returns all. */
const SHOWN_CHANGES = 8;

/** Maximum number of unread sources printed on the page. */
const SHOWN_UNREAD = 12;

/**
 * Returns the first sentence of the most serious safety line that the legal status does not already state, or null.
 * Contraindicated states have lines of their own in the safety section, and lines that only inform stay further down.
 */
const firstSafetyOf = (
  { lines }: SafetySection,
  status: SupplementView['legalStatus'],
): SupplementView['firstSafety'] => {
  const told = status?.statement ?? '';
  const first = lines.find(
    ({ severity, level, text }) =>
      ['major', 'moderate', 'warning', 'caution'].includes((severity ?? level)?.code ?? '') &&
      !told.includes(firstSentence(text)),
  );
  return first ? { ...first, text: firstSentence(first.text) } : null;
};

const viewOf = (material: Material, around: Around): SupplementView => {
  const { row, terms, numbering, topics } = material;
  const {
    cited,
    uncited,
    unread,
    inPeople,
    years,
    labels,
    history,
    gradeChanges,
    biomarkers,
    interactions,
    floor,
    market,
  } = around;
  const { entry } = row;
  const best = bestTier(cited);
  const references = referencesOf(material);
  const retractedRefs = references.filter(({ source }) => source?.retracted).map(({ n }) => n);
  const safety = safetyOf(material);
  const section = safetySection(safety, interactions.cautions, { floor, numbering });
  const legalStatus = legalStatusView(terms, row.slug);
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
    ids: idViews(entry.ids),
    brandNames: [...(entry.brands ?? [])],
    partsUsed: [...(entry.parts_used ?? [])],
    answer: entry.answer,
    legalStatus,
    firstSafety: firstSafetyOf(section, legalStatus),
    best: best && tierView(best),
    answers: answersOf(material),
    findings: findingsOf(material),
    prose: renderProse(row.body, numbering, retractedRefs),
    doses: dosesView(material, labels),
    years: yearColumns(years, { id: 'year-chart', title: `Sources on ${inSentence(row.name)} by year and tier` }),
    intake: intakeView(terms.intakes.get(row.slug)),
    forms: entry.forms.map(({ name, note = '', sources = [] }) => ({ name, note, cites: numbering.all(sources) })),
    safety,
    safetySection: section,
    origins: ORIGIN_LEGEND,
    biomarkers,
    interactions,
    market,
    unknown: [...entry.unknown],
    unmeasured: unmeasuredOf(material),
    uncited,
    verticals: verticalsOf(row, terms, topics),
    history: historyView([
      ...(entry.changes ?? []),
      ...history.map((change) => ({ date: change.at.slice(0, 10), what: changeInWords(change, cited) })),
    ]),
    gradeChanges: gradeChanges.map((change) => gradeChangeView(change, terms)),
    editedOn: dayInWords(`${entry.updated_at}T00:00:00Z`),
    reading: entry.further_reading.map(({ name, address }) => ({ name, href: address })),
    inPeople,
    unread: { count: unread.count, sources: unread.sources.map(toSourceView) },
    references,
    retractedRefs,
  };
};

const gradeChangeView = (change: GradeChange, { topics }: Terms) => {
  const outcome = topics.get(change.topic_slug)?.name ?? change.topic_slug;
  return { day: dayInWords(change.at), text: `${outcome}: ${lowerFirst(gradeChangeInWords(change))}` };
};
const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

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

export const supplementPage = definePage({
  id: 'catalog.supplement',
  path: '/supplements/{slug}',
  summary: 'One supplement: answer, evidence by outcome, doses, safety, what is not known',
  template: 'catalog/supplement',
  params: Type.Object({ slug: Type.String({ maxLength: 80 }) }),
  view: SupplementView,
  scope: 'public',
  sitemap: 'supplements',
  llms: { section: 'Supplements', isInFull: true },
  revision: 13,
  list: listSupplementPages,
  load: (context, { params }) => loadSupplement(context, params.slug),
});

/** Search engines must not index this address: it is the same page in a narrower layout. */
export const supplementV2Page = definePage({
  id: 'catalog.supplement-v2',
  path: '/v2/supplements/{slug}',
  summary: 'The same page in a prototype of another layout',
  template: 'catalog/supplement-v2',
  params: Type.Object({ slug: Type.String({ maxLength: 80 }) }),
  view: SupplementView,
  scope: 'public',
  sitemap: null,
  revision: 9,
  load: async (context: Context, { params }) => {
    const answer = await loadSupplement(context, params.slug, '/v2');
    return 'head' in answer ? { ...answer, head: { ...answer.head, noindex: true, structuredData: [] } } : answer;
  },
});
