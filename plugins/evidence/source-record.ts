/** What every importer yields, whatever the format it reads: one bibliographic or registry record, not yet graded. */
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

/** Fields that an editor states after reading the source; they win over what code infers from the text. */
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
  /** `forms`, `active` or `not_given`: why the study is no answer on what the supplement does. */
  readonly compares?: string;
  /** A review that pools other substances too, and does not say how many people took this one. */
  readonly wider?: boolean;
}

/** What an editor corrects in what a program read, field by field; see `content/corrections`. */
export type Correction = Partial<
  Pick<
    StatedByEditor,
    'design' | 'sampleSize' | 'population' | 'species' | 'direction' | 'funding' | 'supplements' | 'topics'
  >
>;

/** A size of an effect as content/sources has it. */
export interface StatedEffect {
  readonly topic: string;
  readonly measure: string;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  readonly unit?: string;
  readonly outcome: string;
  readonly direction: string;
  /** Whom it was measured in, where that is a part of the source's people. */
  readonly population?: string;
  /** How many people the figure is from, where that is a part of them. */
  readonly people?: number;
}

/** What a source found on one of its topics, for one supplement, against the comparator. */
export interface TopicFinding {
  readonly supplement: string;
  readonly topic: string;
  /** Seen from the person who takes the supplement. */
  readonly direction: EffectDirection;
  /** What was measured, in our own words; "" where the reader names none. */
  readonly outcome: string;
  readonly by: 'editor' | 'program';
  /** How likely the direction is right, 0 to 1; null for an editor's reading. */
  readonly probability: number | null;
}

/** What a program read in an abstract when the starter corpus was packed. */
export interface PackedReading {
  readonly reading: Reading;
  /** `title` where the packer had no abstract either. */
  readonly from: 'abstract' | 'title';
  readonly supplements: readonly Match[];
  readonly topics: readonly Match[];
  /** Words of the abstract in alphabetical order, each as often as it occurs: enough to search by, and no text. */
  readonly words: string;
}

/** Strings are "" when the record has nothing; ids are bare (no `PMID:`, no `https://doi.org/`), DOI in lower case. */
export interface SourceRecord {
  readonly origin: Origin;
  readonly pmid: string;
  readonly doi: string;
  readonly pmcid: string;
  /** The registry id of a trial record; for an article the first trial id it names. */
  readonly nctId: string;
  readonly title: string;
  readonly abstract: string;
  /** "Family Initials", in order. */
  readonly authors: readonly string[];
  readonly journal: string;
  readonly year: number | null;
  readonly volume: string;
  readonly issue: string;
  readonly pages: string;
  readonly language: string;
  readonly publicationTypes: readonly string[];
  /** MeSH descriptors and keywords, as written, without qualifiers. */
  readonly meshTerms: readonly string[];
  readonly keywords: readonly string[];
  /** Methods and results text where the format carries full text, cut to 60,000 characters; for grading only. */
  readonly bodyText: string;
  /** Funding statement, grant agencies and competing interests, as text. */
  readonly fundingText: string;
  /** Registry records: enrolment (people), status and whether it is actual or planned; null for articles. */
  readonly enrolment: number | null;
  readonly trialStatus: string;
  readonly trialPhase: string;
  readonly license: string;
  readonly openAccessUrl: string;
  readonly retractionStatus: RetractionStatus;
  readonly stated: StatedByEditor | null;
  /** A newer version that replaces this one, as `pmid:1` or `doi:10.…`; absent when this is the newest that is known. */
  readonly supersededBy?: string;
  /** An editor's corrections of single fields; they win over every reading and stay through re-imports. */
  readonly corrected?: Correction;
  /** Whether an editor decided which supplements the source is about. */
  readonly screened?: boolean;
  /** What the source found, topic by topic, where somebody or a program read that much in it. */
  readonly findings?: readonly TopicFinding[];
  /** What a program read in the abstract in detail; absent where there was none, or it abstains as a whole. */
  readonly details?: ReadDetails;
  /** Records of the starter corpus only: what was read in the abstract, which does not ship with it. */
  readonly packed?: PackedReading;
}

/** A record with every field empty, to build on. */
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
 * What an importer yields, in the order of the file. `at` names the place for a person: file (and member) and record,
 * as in `articles.tar.gz › PMC1065070.nxml` or `pubmed.xml › record 12`.
 */
export type ImportEvent =
  | { readonly type: 'record'; readonly at: string; readonly record: SourceRecord }
  /** PubMed's DeleteCitation: the record is withdrawn from the base. */
  | { readonly type: 'deletion'; readonly at: string; readonly pmid: string }
  /** A line of a retraction list. */
  | {
      readonly type: 'retraction';
      readonly at: string;
      readonly pmid: string;
      readonly doi: string;
      readonly status: RetractionStatus;
      readonly reason: string;
    }
  /** A record, member or rest of a file that could not be read; the others go on. */
  | { readonly type: 'problem'; readonly at: string; readonly message: string };

export interface Importer {
  /** The word on the command line: `pubmed`, `jats`, `ctgov`, `nbib`, `ris`, `retractions`. */
  readonly kind: string;
  readonly summary: string;
  /** Streams one path (file or folder). Never throws for bad content (that is a `problem`); throws only when aborted. */
  read(path: string, signal: AbortSignal): AsyncIterable<ImportEvent>;
}
