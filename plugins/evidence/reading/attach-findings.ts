/** Reads a record's findings on its topics before the record is stored, so that no abstract is read twice. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Grader } from '../corpus.ts';
import { type Reading, readRecord } from '../grading/reading.ts';
import type { VocabularyMatch } from '../matching/matcher.ts';
import type { Vocabulary } from '../matching/vocabulary.ts';
import type { SourceRecord, TopicFinding } from '../source-record.ts';
import { type ReadDetails, readDetails } from './details.ts';
import { loadReader } from './load.ts';
import type { AbstractReader, Outcome } from './reading.ts';

/** Version of the findings. Raise it when the findings for the same abstract may change; imports are then read again. */
export const FINDINGS_VERSION = 'findings-2';

type Matched = Pick<VocabularyMatch, 'supplements' | 'topics'>;

interface Names {
  readonly interventions: ReadonlyMap<string, readonly string[]>;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

const namesIn = ({ supplements, topics }: Vocabulary): Names => ({
  interventions: new Map(
    supplements.map(({ slug, name, latinName, synonyms }) => [slug, [name, ...synonyms, latinName].filter(Boolean)]),
  ),
  outcomes: new Map(
    topics.map(({ slug, name, terms }) => [slug, { key: slug, terms: [name.toLowerCase(), ...terms] }]),
  ),
});

const known = new WeakMap<Vocabulary, Names>();

const namesOf = (vocabulary: Vocabulary): Names => {
  const names = known.get(vocabulary) ?? namesIn(vocabulary);
  known.set(vocabulary, names);
  return names;
};

/** Returns the findings on the record's topics for its main supplement; topics on which the reader abstains are left out. */
export const readTopics = (
  record: SourceRecord,
  { supplements, topics }: Matched,
  vocabulary: Vocabulary,
  reader: AbstractReader,
): TopicFinding[] => {
  const [main] = supplements;
  if (!main || record.abstract === '' || record.origin === 'ctgov') return [];
  const { interventions, outcomes } = namesOf(vocabulary);
  return topics.flatMap(({ slug }) => {
    const outcome = outcomes.get(slug);
    const verdict = outcome && reader.verdict(record, interventions.get(main.slug) ?? [], outcome);
    // The reader's "mixed" also covers unclear results, so it decides nothing.
    if (!verdict || verdict.direction === 'mixed') return [];
    const probability = Math.round(verdict.probability * 100) / 100;
    return [
      { supplement: main.slug, topic: slug, direction: verdict.direction, outcome: '', by: 'program', probability },
    ];
  });
};

/** Reads the details that an abstract states on its main supplement and topics; null when there is nothing to read. */
export const readRecordInDetail = (
  record: SourceRecord,
  reading: Pick<Reading, 'size' | 'population'>,
  { supplements, topics }: Matched,
  vocabulary: Vocabulary,
  reader: AbstractReader,
): ReadDetails | null => {
  if (record.abstract === '' || record.origin === 'ctgov') return null;
  const [main] = supplements;
  if (!main) return null;
  const { interventions, outcomes } = namesOf(vocabulary);
  const asked = topics.flatMap(({ slug }) => outcomes.get(slug) ?? []);
  return readDetails(record, reading, { interventions: interventions.get(main.slug) ?? [], outcomes: asked }, reader);
};

interface RecordEvent {
  readonly type: 'record';
  readonly record: SourceRecord;
}

const isRecord = (event: { readonly type: string }): event is RecordEvent => event.type === 'record';

/**
 * Yields every event of the input, and adds findings to each record that has an abstract and that no editor has stated. Gives
 * the event loop to other work of the process before it reads a record.
 */
export async function* withFindings<E extends { readonly type: string }>(
  events: AsyncIterable<E> | Iterable<E>,
  grader: Grader,
): AsyncGenerator<E> {
  const reader = await loadReader();
  for await (const event of events) {
    if (!isRecord(event) || event.record.abstract === '' || event.record.stated) {
      yield event;
      continue;
    }
    await turn();
    const { record } = event;
    const matched = grader.matcher.match(record);
    const details = readRecordInDetail(record, readRecord(record), matched, grader.vocabulary, reader);
    const findings = readTopics(record, matched, grader.vocabulary, reader);
    yield { ...event, record: { ...record, findings, ...(details && { details }) } };
  }
}
