/** Builds a table of the differences between two answers. */
import { type Static, Type } from 'typebox';
import { DIRECTION_WORDS, dayInWords } from '#plugins/evidence/index.ts';
import type { Answer, AnswerDiff } from '../schemas.ts';
import { CONFIDENCE_WORDS } from './answer-view.ts';

const CitedLine = Type.Object({
  title: Type.String(),
  href: Type.String(),
  tier: Type.String(),
  year: Type.String(),
  note: Type.String(),
});

export const DiffView = Type.Object({
  same: Type.Boolean(),
  beforeHref: Type.String(),
  beforeOn: Type.String(),
  rows: Type.Array(Type.Object({ what: Type.String(), before: Type.String(), after: Type.String() })),
  /** Changes in the base since the answer, as the beginning of a sentence; "" for none. */
  inBetween: Type.String(),
  added: Type.Array(CitedLine),
  removed: Type.Array(CitedLine),
});
export type DiffView = Static<typeof DiffView>;

const STATUS_WORDS: Readonly<Record<Answer['status'], string>> = {
  answered: 'answered',
  insufficient_evidence: 'not enough evidence',
  refused: 'not answered here',
};

const balanceWords = (balance: Answer['evidence_balance']): string =>
  (['positive', 'null', 'negative', 'mixed'] as const)
    .map((code) => `${balance[code]} ${DIRECTION_WORDS[code].toLowerCase()}`)
    .join(', ');

const row = <T>(what: string, change: { before: T; after: T } | null, words: (value: T) => string) =>
  change ? [{ what, before: words(change.before), after: words(change.after) }] : [];

const modelWords = (model: string): string => (model === 'extractive' ? 'fixed rules, no language model' : model);

const makerRow = ({ before, after }: AnswerDiff['model']) =>
  before === after ? [] : [{ what: 'Made by', before: modelWords(before), after: modelWords(after) }];

/** Version numbers mean nothing to readers, so only the fact that they differ is shown. The API returns them. */
const inBetween = ({ index_version, retrieval_version }: AnswerDiff): string =>
  [
    ...(index_version.before === index_version.after ? [] : ['The sources of this base, or how they are indexed,']),
    ...(retrieval_version.before === retrieval_version.after ? [] : ['the way of searching']),
  ].join(' and ');

const lineOf = ({ title, url, quality_tier, year, retraction_status }: AnswerDiff['citations_added'][number]) => ({
  title,
  href: url,
  tier: quality_tier,
  year: year ? `${year}` : '',
  note: retraction_status === 'retracted' ? 'retracted since' : '',
});

export const diffView = (diff: AnswerDiff, before: Answer): DiffView => ({
  same: diff.same,
  beforeHref: before.permalink,
  beforeOn: dayInWords(before.created_at),
  rows: [
    ...row('Status', diff.status, (status) => STATUS_WORDS[status]),
    ...row('How sure', diff.confidence, (confidence) => CONFIDENCE_WORDS[confidence]),
    ...row('In short', diff.summary, String),
    ...row('Direction of the sources', diff.evidence_balance, balanceWords),
    ...diff.tiers_changed.map(({ title, before: from, after }) => ({
      what: `Tier of “${title}”`,
      before: from,
      after,
    })),
    ...diff.interactions_added.map((name) => ({ what: 'Interaction', before: 'not shown', after: name })),
    ...diff.interactions_removed.map((name) => ({ what: 'Interaction', before: name, after: 'not shown' })),
    ...makerRow(diff.model),
  ],
  inBetween: inBetween(diff),
  added: diff.citations_added.map(lineOf),
  removed: diff.citations_removed.map(lineOf),
});
