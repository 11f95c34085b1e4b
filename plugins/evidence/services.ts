import { withLease } from '#core/db/lease.ts';
import type { Database, Host } from '#core/plugin.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { type Terms, type VocabularyServices, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { type Grader, reproject } from './corpus.ts';
import { Source } from './entities.ts';
import { followCorpus } from './follow-corpus.ts';
import { describeFormula } from './grading/describe-formula.ts';
import { FORMULA_VERSION } from './grading/formula.ts';
import { openCorpusIndex } from './index-corpus.ts';
import type { CatchUp } from './index-feed.ts';
import { compileVocabulary } from './matching/matcher.ts';
import type { QuestionGrades } from './pages/grade-view.ts';
import { type Plan, readPlan } from './plan.ts';
import { type EvidenceAnswer, type EvidenceQuery, searchEvidence } from './search.ts';
import { type MedicineWords, searchParts } from './search-parts.ts';
import { findSource, nearSourceIds, type SimilarAnswer, type SimilarOptions, similarEvidence } from './similar.ts';
import type { SourceRow } from './source-view.ts';
import { type StarterCorpus, starterCorpus } from './starter/load.ts';

/** Version of the matching of texts to supplements and topics. Raise it when the matching changes. */
const MATCHER_VERSION = 'match-2';
/** Interval at which a serving process checks for changes made by other processes, in milliseconds. */
const WATCH_MS = 1_000;
const STALE_BATCH = 300;

export interface EvidenceServices {
  readonly index: SearchIndex;
  search(query: EvidenceQuery): Promise<EvidenceAnswer>;
  /** Returns sources similar to a source, or null when the source does not exist. */
  similar(sourceId: string, options: SimilarOptions): Promise<SimilarAnswer | null>;
  /** Returns null when the source does not exist. */
  source(sourceId: string): Promise<SourceRow | null>;
  /** Returns ids of stored sources that a misspelled id may mean. */
  nearSourceIds(given: string): Promise<readonly string[]>;
  /**
   * Registers the names of medicines from the plugin that knows them: they are never spell-corrected, and they trigger reranking.
   */
  knowMedicines(words: MedicineWords): void;
  /** Registers the reader of the grades shown on question pages; the plugin that grades outcomes calls it. */
  gradeQuestions(grades: QuestionGrades): void;
  /** Returns null when no plugin grades outcomes. */
  questionGrades(): QuestionGrades | null;
  /** Returns the grader for a state of the vocabulary; each state is compiled once. */
  graderOf(terms: Terms): Grader;
  grader(): Promise<Grader>;
  /** Updates the index to the state of the corpus. Concurrent callers share one run. */
  catchUp(onProgress?: (done: number) => void): Promise<CatchUp>;
  /** Regrades sources that were graded with another formula or vocabulary; returns the number of sources checked. */
  refreshStale(signal: AbortSignal): Promise<number>;
  /** Returns the verticals that editors maintain and the questions that people ask most, from content/plan.yaml. */
  plan(): Promise<Plan>;
  readonly formula: ReturnType<typeof describeFormula>;
  /** The corpus included with the program. */
  readonly starter: StarterCorpus;
  stop(): Promise<void>;
}

const graderFor = (): ((terms: Terms) => Grader) => {
  let last: { digest: string; grader: Grader } | null = null;
  return (terms) => {
    if (last?.digest === terms.digest) return last.grader;
    const supplements = [...terms.supplements.values()].map(({ slug, name, latinName, synonyms, entry }) => ({
      slug,
      name,
      latinName,
      synonyms,
      forms: entry.forms.map((form) => form.name),
    }));
    const vocabulary = { supplements, topics: [...terms.topics.values()] };
    const grader = {
      matcher: compileVocabulary(vocabulary),
      vocabulary,
      version: `${FORMULA_VERSION}/${MATCHER_VERSION}/${terms.digest}`,
    };
    last = { digest: terms.digest, grader };
    return grader;
  };
};

const refreshStale = async (db: Database, grader: Grader, signal: AbortSignal): Promise<number> => {
  let done = 0;
  for (;;) {
    signal.throwIfAborted();
    const batch = await withLease(db, 'corpus', { waitSeconds: 60 }, () =>
      db.write(async (em) => {
        const stale = await em.find(
          Source,
          { projection: { $ne: grader.version }, removedAt: null },
          { fields: ['sourceId'], limit: STALE_BATCH, orderBy: { sourceId: 'asc' }, disableIdentityMap: true },
        );
        await reproject(
          em,
          stale.map((row) => row.sourceId),
          grader,
        );
        return stale.length;
      }),
    );
    if (!batch?.result) return done;
    done += batch.result;
  }
};

export const startEvidence = async (host: Host): Promise<EvidenceServices> => {
  const { db } = host;
  const vocabulary: VocabularyServices = host.use(vocabularyPlugin);
  const index = await openCorpusIndex(host);
  const graderOf = graderFor();
  const { keepUp, catchUp, refresh, stop } = followCorpus(host, index, vocabulary);
  const timer = host.role === 'serve' ? setInterval(() => void keepUp(), WATCH_MS).unref() : null;
  const parts = searchParts(host, { index, vocabulary, graderOf });
  const grader = async (): Promise<Grader> => graderOf(await vocabulary.terms());
  const starter = starterCorpus(host, grader);
  let questions: QuestionGrades | null = null;
  let plan: Promise<Plan> | null = null;
  return {
    index,
    search: (query) => searchEvidence(parts, query),
    similar: (sourceId, options) => similarEvidence(parts, sourceId, options),
    source: (sourceId) => findSource(parts, sourceId),
    nearSourceIds: (given) => nearSourceIds(parts, given),
    knowMedicines: parts.knowMedicines,
    gradeQuestions: (grades) => {
      questions = grades;
    },
    questionGrades: () => questions,
    graderOf,
    grader,
    starter,
    catchUp,
    refreshStale: (signal) =>
      refresh(async (stopping) =>
        refreshStale(db, graderOf(await vocabulary.terms()), AbortSignal.any([signal, stopping])),
      ),
    plan: () => {
      plan ??= readPlan(host.contentDir);
      return plan;
    },
    formula: describeFormula(),
    stop: async () => {
      if (timer) clearInterval(timer);
      await starter.stop();
      await stop();
      await index.close();
    },
  };
};
