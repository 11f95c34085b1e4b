import type { EvidenceLevel, SourceRecord, Species } from '../source-record.ts';
import type { RecordText } from './record-text.ts';
import { fromAbstract, fromTitle, saysRandomised } from './study-design-cues.ts';
import type { StudyKind } from './study-kind.ts';

export interface StudyDesign {
  readonly level: EvidenceLevel;
  readonly kind: StudyKind;
  /** Origin of the design: one plain clause for the breakdown. */
  readonly from: string;
}

const OTHER_KINDS: ReadonlySet<StudyKind> = new Set([
  'registered_trial',
  'non_randomised_trial',
  'protocol',
  'notice',
  'unclear_design',
]);

/** Returns the evidence level under which a kind of study is published. */
export const levelOf = (kind: StudyKind): EvidenceLevel =>
  OTHER_KINDS.has(kind) ? 'other' : (kind as Exclude<EvidenceLevel, 'other'>);

// Patterns in order of precedence. "Retracted Publication" marks the retracted article itself and is not a notice.
const BY_PUBLICATION_TYPE: readonly (readonly [RegExp, StudyKind])[] = [
  [
    /^(retraction of publication|retraction notice|retraction|published erratum|erratum|correction|corrigendum|expression of concern)$/,
    'notice',
  ],
  [
    /^(news|newspaper article|biography|portrait|interview|patient education handout|address|directory|dataset)$/,
    'notice',
  ],
  [/^(clinical trial protocol|protocol|study protocol)$/, 'protocol'],
  [/^(network )?meta[- ]analysis$/, 'meta_analysis'],
  [/^systematic[- ]review$/, 'systematic_review'],
  [/^(practice )?guideline$|^consensus (statement|development conference(, nih)?)$/, 'guideline'],
  [
    /^(rct|randomi[sz]ed controlled trial|equivalence trial|pragmatic clinical trial|adaptive clinical trial|clinical trial, phase iii)$/,
    'rct',
  ],
  [/^case reports?$/, 'case_report'],
  [/^cohort( study)?$/, 'cohort'],
  [/^case[- ]control( study)?$/, 'case_control'],
  [/^cross[- ]sectional( study)?$/, 'cross_sectional'],
  [/^(editorial|letter|comment|lecture|historical article|introductory journal article)$/, 'expert_opinion'],
];
const REVIEW_TYPE = /^(scoping )?review$/;
const TRIAL_TYPE = /^(controlled clinical trial|clinical trial|clinical trial, phase (i|ii|iv)|clinical study)$/;
const OBSERVATIONAL_TYPE = /^observational study$/;

const RETRACTED_PREFIX = /^(?:retracted(?: article)?|withdrawn): /;

const fromPublicationTypes = (types: readonly string[]): StudyKind | null => {
  for (const [pattern, kind] of BY_PUBLICATION_TYPE) if (types.some((type) => pattern.test(type))) return kind;
  return null;
};

/** Refines the design with the title and abstract when the publication types name only the family of the design. */
const refine = (types: readonly string[], fromText: StudyKind | null): StudyKind | null => {
  if (types.some((type) => OBSERVATIONAL_TYPE.test(type))) {
    return fromText === 'cohort' || fromText === 'case_control' ? fromText : 'cross_sectional';
  }
  if (types.some((type) => TRIAL_TYPE.test(type))) return fromText === 'rct' ? 'rct' : 'non_randomised_trial';
  if (types.some((type) => REVIEW_TYPE.test(type))) {
    return fromText === 'meta_analysis' || fromText === 'systematic_review' || fromText === 'guideline'
      ? fromText
      : 'expert_opinion';
  }
  return fromText;
};

const findKind = (record: SourceRecord, text: RecordText): [StudyKind, string] => {
  const types = record.publicationTypes.map((type) => type.toLowerCase().trim());
  const titleKind = fromTitle(text.title.replace(RETRACTED_PREFIX, ''), record.journal.toLowerCase());
  if (titleKind === 'notice' || titleKind === 'protocol') return [titleKind, 'the title'];
  const typeKind = fromPublicationTypes(types);
  // Some journals label trials as "case report".
  if (typeKind === 'case_report' && saysRandomised(text.body)) return ['rct', 'the full text'];
  if (typeKind !== null) return [typeKind, 'the publication type'];
  const textKind = titleKind ?? fromAbstract(text);
  const refined = refine(types, textKind);
  // A short abstract may leave out details that the methods state.
  if ((refined === null || refined === 'non_randomised_trial') && saysRandomised(text.body))
    return ['rct', 'the full text'];
  if (refined !== null && refined !== textKind) return [refined, 'the publication type and the text'];
  if (refined !== null) return [refined, titleKind === null ? 'the abstract' : 'the title'];
  return ['unclear_design', 'neither publication type nor text'];
};

const PRIMARY: ReadonlySet<StudyKind> = new Set([
  'rct',
  'cohort',
  'case_control',
  'cross_sectional',
  'case_report',
  'non_randomised_trial',
  'unclear_design',
]);

/**
 * Detects the design of a study: from the editor, else the publication types, else the title and abstract. A primary study in
 * animals or cells is always `animal` or `in_vitro`, regardless of its own label; reviews keep their design.
 */
export const detectDesign = (record: SourceRecord, text: RecordText, species: Species): StudyDesign => {
  if (record.stated !== null) {
    const level = record.stated.design;
    return { level, kind: level === 'other' ? otherKind(record, text) : level, from: 'the editor who read it' };
  }
  if (record.origin === 'ctgov') return { level: 'other', kind: 'registered_trial', from: 'the trial register' };
  const [kind, from] = findKind(record, text);
  if (PRIMARY.has(kind) && (species === 'animal' || species === 'in_vitro')) {
    return {
      level: species,
      kind: species,
      from: species === 'animal' ? 'the animals named in the text' : 'the cells named in the text',
    };
  }
  return { level: levelOf(kind), kind, from };
};

const otherKind = (record: SourceRecord, text: RecordText): StudyKind => {
  const [kind] = findKind(record, text);
  return OTHER_KINDS.has(kind) ? kind : 'unclear_design';
};
