import type { SourceRecord } from '../source-record.ts';

/** A record's text prepared once for all parts of the grader; every string except `original…` is in lower case. */
export interface RecordText {
  readonly originalTitle: string;
  readonly originalAbstract: string;
  readonly title: string;
  readonly abstract: string;
  /** The abstract without its background section where the sections are labelled, else the whole abstract. */
  readonly ownWork: string;
  readonly sentences: readonly string[];
  readonly conclusion: string;
  /** True when the abstract labels its conclusion, or opens it with "in conclusion", "we conclude" or the like. */
  readonly conclusionIsMarked: boolean;
  readonly body: string;
}

// Longer texts are cut: no real abstract is longer, and every later step is linear in the length of the remaining text.
const TITLE_LIMIT = 1_000;
const ABSTRACT_LIMIT = 20_000;
const BODY_LIMIT = 60_000;

/** Replaces typographic dashes, spaces and quotes with ASCII ones, and collapses runs of spaces. */
export const unify = (text: string): string =>
  text
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\n\r\t]/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\u00b7/g, '.')
    .replace(/ {2,}/g, ' ');

const LABEL =
  /(?:^|[.!?)\]] {0,3})\s{0,3}(background|introduction|context|objectives?|aims?|purpose|rationale|importance|methods?|materials and methods|methods and results|patients and methods|subjects and methods|design|study design|setting|participants|interventions?|results?|findings|main results|conclusions?|conclusions? and relevance|authors' conclusions|interpretation|interpretation (?:&|and) conclusions?|discussion|significance|trial registration|clinical trial registration|registration|funding|electronic supplementary material|classification of evidence|clinicaltrials\.gov identifier)(?::| -) /g;

const BACKGROUND_LABELS = /^(background|introduction|context|objectives?|aims?|purpose|rationale|importance)$/;
const CONCLUSION_LABELS =
  /^(conclusions?|conclusions? and relevance|authors' conclusions|interpretation|interpretation (?:&|and) conclusions?)$/;
// "Conclusions. We found …": a label that ends with a full stop is a separate sentence.
const CONCLUSION_SENTENCE = /^(?:conclusions?|interpretation)\s?\.?$/;
/** Sentences at the end of an abstract that are not a conclusion: registration, funding, copyright or an address. */
const NO_CONCLUSION =
  /^(?:trial|clinical trial|study)? ?regist(?:ration|ered|ry)|^(?:this|the) (?:trial|study|work|research|review) (?:is|was|has been) (?:prospectively |retrospectively )?(?:registered|funded|supported)|^(?:clinicaltrials|clinical ?trials\.gov|isrctn|nct ?\d|umin|http|www\.|funding|electronic supplementary|copyright|©|key ?words|registration|identifier)|^[^ ]{0,25} ?identifier\b|\bunique identifier\b|^(?:nct|isrctn|actrn|irct)[\d: ]/;
const ONLY_WISHES =
  /^(?:thus,? |therefore,? |however,? |future |additional(?:ly)?,? |further(?:more)?,? |more |larger |long(?:er)?-term |there is a need )[^.]{0,90}\b(?:research|stud(?:y|ies)|trials?|investigations?|data|findings)\b[^.]{0,60}\b(?:needed|required|warranted|necessary|should|recommended)\b/;

const CONCLUSION_OPENING =
  /\b(in conclusion|we conclude|it is concluded|we concluded|in summary|to conclude|taken together|these (?:results|findings|data) (?:suggest|indicate|show|demonstrate|support|provide|do not)|(?:our|the|this) (?:results|findings|data|study|trial) (?:suggests?|indicates?|shows?|showed|demonstrates?|demonstrated|supports?|provides?)|the (?:present|current) (?:study|results|findings|data|trial|analysis) (?:suggests?|indicates?|shows?|showed|demonstrates?|demonstrated|reveals?|revealed)|(?:our|this) study revealed|this (?:meta-analysis|systematic review|review) (?:suggests?|indicates?|shows?|demonstrates?|found|provides))\b/;

/** Splits a text into sentences; "vs.", "e.g.", "i.e.", "et al." and initials do not end a sentence. */
export const splitSentences = (text: string): string[] => {
  const sentences: string[] = [];
  let from = 0;
  for (const match of text.matchAll(/[.!?] {1,3}(?=[A-Z0-9([])/g)) {
    const end = match.index + 1;
    if (
      /(?:\bvs|\be\.g|\bi\.e|\bet al|\bapprox|\bno|\bdr|\b[A-Z])\.$/i.test(text.slice(Math.max(from, end - 8), end))
    ) {
      continue;
    }
    sentences.push(text.slice(from, end).trim());
    from = end;
  }
  sentences.push(text.slice(from).trim());
  return sentences.filter((sentence) => sentence !== '');
};

interface Section {
  readonly label: string;
  readonly text: string;
}

const splitSections = (abstract: string): Section[] => {
  const marks = [...abstract.matchAll(LABEL)];
  return marks.map((mark, index) => ({
    label: mark[1] ?? '',
    text: abstract.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? abstract.length),
  }));
};

const findConclusion = (sections: readonly Section[], sentences: readonly string[]): [string, boolean] => {
  const labelled = sections.filter((section) => CONCLUSION_LABELS.test(section.label)).map((section) => section.text);
  if (labelled.length > 0) return [labelled.join(' ').trim(), true];
  const own = sentences.filter((sentence) => !NO_CONCLUSION.test(sentence));
  const label = own.findLastIndex((sentence) => CONCLUSION_SENTENCE.test(sentence));
  if (label >= 0 && label < own.length - 1) return [own.slice(label + 1).join(' '), true];
  const opening = own.findLastIndex((sentence) => CONCLUSION_OPENING.test(sentence));
  if (opening >= 0 && opening >= own.length - 4) return [own.slice(opening).join(' '), true];
  const telling = own.filter((sentence) => !ONLY_WISHES.test(sentence));
  return [(telling.length === 0 ? own : telling).slice(-2).join(' '), false];
};

/** Shortens and normalizes the text of a record and splits it into sections and sentences. */
export const readText = (record: SourceRecord): RecordText => {
  const originalTitle = unify(record.title.slice(0, TITLE_LIMIT));
  const originalAbstract = unify(record.abstract.slice(0, ABSTRACT_LIMIT));
  const abstract = originalAbstract.toLowerCase();
  const sections = splitSections(abstract);
  const sentences = splitSentences(originalAbstract).map((sentence) => sentence.toLowerCase());
  const [conclusion, conclusionIsMarked] = findConclusion(sections, sentences);
  const own = sections.filter((section) => !BACKGROUND_LABELS.test(section.label));
  return {
    originalTitle,
    originalAbstract,
    title: originalTitle.toLowerCase(),
    abstract,
    ownWork: own.length > 1 ? own.map((section) => section.text).join(' ') : abstract,
    sentences,
    conclusion,
    conclusionIsMarked,
    body: unify(record.bodyText.slice(0, BODY_LIMIT)).toLowerCase(),
  };
};
