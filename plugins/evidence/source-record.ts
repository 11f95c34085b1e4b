/** Defines the records that importers yield, whatever the format they read: bibliographic or registry records, not yet graded. */
import type { Reading } from './grading/reading.ts';
import type { Match } from './matching/vocabulary.ts';
import type { ReadDetails } from './reading/details.ts';

export type RetractionStatus = 'none' | 'corrected' | 'concern' | 'retracted';
export type EvidenceLevel =
  | 'meta_analysis'
  | 'systematic_review'
  | 'rct'
  | 'cohort'
  | 'case_control'
  | 'cross_sectional'
  | 'case_report'
  | 'guideline'
  | 'expert_opinion'
  | 'animal'
  | 'in_vitro'
  | 'other';
export type EffectDirection = 'positive' | 'null' | 'negative' | 'mixed' | 'unclear';
export type Species = 'human' | 'animal' | 'in_vitro' | 'unknown';
export type Funding = 'industry' | 'public' | 'mixed' | 'none' | 'not_stated';
export type Origin = 'content' | 'pubmed' | 'jats' | 'ctgov' | 'nbib' | 'ris' | 'corpus' | 'correction';

/** Fields that an editor states after reading the source. They override values inferred from the text. */
export interface StatedByEditor {
  readonly design: EvidenceLevel;
  readonly sampleSize: number | null;
  readonly studies: number | null;
  readonly population: string;
  readonly species: Species;
  readonly direction: EffectDirection;
  readonly funding: Funding;
  readonly summary: string;
  readonly supplements: readonly string[];
  readonly topics: readonly string[];
  readonly read: 'full_text' | 'abstract';
  readonly effectSizes?: readonly StatedEffect[];
  readonly certaintyStated?: string;
  /** `forms`, `active` or `not_given`: the reason why the study does not show the effect of the supplement. */
  readonly compares?: string;
  /** True for a review that also pools other substances and does not state how many people took this one. */
  readonly wider?: boolean;
}

/** Fields that an editor corrects in a program's reading; see `content/corrections`. */
export type Correction = Partial<
  Pick<
    StatedByEditor,
    'design' | 'sampleSize' | 'population' | 'species' | 'direction' | 'funding' | 'supplements' | 'topics'
  >
>;

/** An effect size as entered in content/sources. */
export interface StatedEffect {
  readonly topic: string;
  readonly measure: string;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  readonly unit?: string;
  readonly outcome: string;
  readonly direction: string;
  /** Subgroup that was measured, when it is only a part of the source's participants. */
  readonly population?: string;
  /** Number of people in that subgroup. */
  readonly people?: number;
}

/** Result of a source on one of its topics, for one supplement, compared with the comparator. */
export interface TopicFinding {
  readonly supplement: string;
  readonly topic: string;
  /** Direction, seen from the person who takes the supplement. */
  readonly direction: EffectDirection;
  /** Measured outcome, in our own words; "" when none is named. */
  readonly outcome: string;
  readonly by: 'editor' | 'program';
  /** Probability that the direction is right, 0 to 1; null for an editor's reading. */
  readonly probability: number | null;
}

/** Values that a program read in an abstract when the starter corpus was packed. */
export interface PackedReading {
  readonly reading: Reading;
  /** `title` when the packer had no abstract. */
  readonly from: 'abstract' | 'title';
  readonly supplements: readonly Match[];
  readonly topics: readonly Match[];
  /** Words of the abstract in alphabetical order, each as often as it occurs: sufficient for search, but not a readable text. */
  readonly words: string;
}

/**
 * A bibliographic or registry record. Missing strings are ""; ids are bare (no `PMID:`, no `https://doi.org/`), DOIs in lower
 * case.
 */
export interface SourceRecord {
  readonly origin: Origin;
  readonly pmid: string;
  readonly doi: string;
  readonly pmcid: string;
  /** Registry id of a trial record; for an article, the first trial id that it names. */
  readonly nctId: string;
  readonly title: string;
  readonly abstract: string;
  /** Authors as "Family Initials", in order. */
  readonly authors: readonly string[];
  readonly journal: string;
  readonly year: number | null;
  readonly volume: string;
  readonly issue: string;
  readonly pages: string;
  readonly language: string;
  readonly publicationTypes: readonly string[];
  /** MeSH descriptors and keywords as written, without qualifiers. */
  readonly meshTerms: readonly string[];
  readonly keywords: readonly string[];
  /** Text of methods and results when the format contains full text, cut to 60,000 characters; used for grading only. */
  readonly bodyText: string;
  /** Funding statement, grant agencies and competing interests, as text. */
  readonly fundingText: string;
  /** For registry records: enrolment (people), and status with whether the enrolment is actual or planned; null for articles. */
  readonly enrolment: number | null;
  readonly trialStatus: string;
  readonly trialPhase: string;
  readonly license: string;
  readonly openAccessUrl: string;
  readonly retractionStatus: RetractionStatus;
  readonly stated: StatedByEditor | null;
  /** Newer version that replaces this one, as `pmid:1` or `doi:10.…`; absent when none is known. */
  readonly supersededBy?: string;
  /** An editor's corrections of single fields. They override every reading and persist across imports. */
  readonly corrected?: Correction;
  /** Whether an editor decided which supplements the source is about. */
  readonly screened?: boolean;
  /** Results of the source by topic, as read by an editor or a program. */
  readonly findings?: readonly TopicFinding[];
  /** Details that a program read in the abstract; absent without an abstract, or when the program abstains. */
  readonly details?: ReadDetails;
  /** For records of the starter corpus only: values read in the abstract, which the starter corpus does not include. */
  readonly packed?: PackedReading;
}

/** Returns a record of the given origin with every other field empty. */
export const emptyRecord = (origin: Origin): SourceRecord => ({
  origin,
  pmid: '',
  doi: '',
  pmcid: '',
  nctId: '',
  title: '',
  abstract: '',
  authors: [],
  journal: '',
  year: null,
  volume: '',
  issue: '',
  pages: '',
  language: '',
  publicationTypes: [],
  meshTerms: [],
  keywords: [],
  bodyText: '',
  fundingText: '',
  enrolment: null,
  trialStatus: '',
  trialPhase: '',
  license: '',
  openAccessUrl: '',
  retractionStatus: 'none',
  stated: null,
});

/**
 * Events that an importer yields, in the order of the file. `at` describes the location for a person: file (and member) and
 * record, as in `articles.tar.gz › PMC1065070.nxml` or `pubmed.xml › record 12`.
 */
export type ImportEvent =
  | { readonly type: 'record'; readonly at: string; readonly record: SourceRecord }
  /** PubMed's DeleteCitation: the record is withdrawn from the corpus. */
  | { readonly type: 'deletion'; readonly at: string; readonly pmid: string }
  /** One line of a retraction list. */
  | {
      readonly type: 'retraction';
      readonly at: string;
      readonly pmid: string;
      readonly doi: string;
      readonly status: RetractionStatus;
      readonly reason: string;
    }
  /** A record, member or remainder of a file that could not be read; the import continues with the others. */
  | { readonly type: 'problem'; readonly at: string; readonly message: string };

export interface Importer {
  /** Name of the importer on the command line: `pubmed`, `jats`, `ctgov`, `nbib`, `ris`, `retractions`. */
  readonly kind: string;
  readonly summary: string;
  /**
   * Streams the events of one path (file or folder). Invalid content yields a `problem` instead of an error; throws only when
   * aborted.
   */
  read(path: string, signal: AbortSignal): AsyncIterable<ImportEvent>;
}
