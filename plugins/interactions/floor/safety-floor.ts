/** Builds the safety floor of one supplement: every topic is stated, or reported as not studied. */
import type { IntakeRow, Origin, SupplementRow } from '#plugins/vocabulary/index.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import type { CautionRecord } from '../book/rule-record.ts';
import { CONDITION_WORDS, gravestFirst } from '../rules/severity-labels.ts';
import { type LongestStudied, longestStudied } from './longest-studied.ts';
import { CAUTION_TOPICS, type FloorTopic, isNotStudiedTopic, NOT_STUDIED_WORDS, OWN_TOPIC_WORDS } from './topics.ts';
import { upperLimitInWords } from './upper-limit-words.ts';

/** `not_entered`: neither stated nor declared as not studied; this never occurs in the shipped content. */
export const FLOOR_STATUSES = ['stated', 'not_studied', 'no_limit_set', 'not_entered'] as const;
export type FloorStatus = (typeof FLOOR_STATUSES)[number];

export interface FloorLine {
  readonly topic: FloorTopic;
  readonly name: string;
  readonly status: FloorStatus;
  /** A plain sentence for a topic without cautions; "" beside cautions. */
  readonly statement: string;
  readonly cautions: readonly CautionRecord[];
  readonly authority: { readonly name: string; readonly address: string } | null;
  readonly longest: LongestStudied | null;
  readonly origin: Origin;
}

const NOTHING = { statement: '', cautions: [], authority: null, longest: null } as const;

const NO_LIMIT = 'No upper limit was set. That does not say that any amount is safe.';

const upperIntake = (book: InteractionBook, slug: string, intake: IntakeRow | undefined): FloorLine => {
  const head = { ...NOTHING, topic: 'upper-intake', name: OWN_TOPIC_WORDS['upper-intake'] } as const;
  const given = book.floors.get(slug)?.upper;
  const limits = intake ? upperLimitInWords(intake) : '';
  if (limits && intake)
    return { ...head, status: 'stated', statement: limits, authority: intake.authority, origin: 'data_file' };
  if (given) {
    const authority = given.authority ? { name: given.authority, address: given.address } : null;
    const origin = authority ? 'data_file' : 'practice';
    return { ...head, status: 'stated', statement: given.statement, authority, origin };
  }
  const authority = intake?.authority ?? null;
  return {
    ...head,
    status: 'no_limit_set',
    statement: NO_LIMIT,
    authority,
    origin: authority ? 'data_file' : 'practice',
  };
};

const longest = ({ entry }: SupplementRow): FloorLine => {
  const head = { ...NOTHING, topic: 'longest-studied', name: OWN_TOPIC_WORDS['longest-studied'] } as const;
  const found = longestStudied(entry.dosing);
  if (!found)
    return {
      ...head,
      status: 'not_studied',
      statement: 'How long it can be taken safely has not been studied in any source gathered here.',
      origin: 'opened',
    };
  const { duration, context } = found;
  const statement = `${duration.charAt(0).toUpperCase()}${duration.slice(1)} in the studies that are cited here for a dose (${context.charAt(0).toLowerCase()}${context.slice(1)}).`;
  return { ...head, status: 'stated', statement, longest: found, origin: 'opened' };
};

/**
 * Builds the safety floor.
 * @returns every topic in its fixed order; driving only if something is known about it.
 */
export const safetyFloor = (
  book: InteractionBook,
  supplement: SupplementRow,
  intake: IntakeRow | undefined,
): readonly FloorLine[] => {
  const { slug } = supplement;
  const notStudied = new Set<string>(book.floors.get(slug)?.notStudied);
  const lines = CAUTION_TOPICS.flatMap((topic): FloorLine[] => {
    const cautions = book
      .cautionsOf(slug)
      .filter(({ entry }) => entry.condition === topic)
      .toSorted((a, b) => gravestFirst(a.entry, b.entry));
    const head = { ...NOTHING, topic, name: CONDITION_WORDS[topic] };
    const [first] = cautions;
    if (first) return [{ ...head, status: 'stated', cautions, origin: first.origin }];
    if (isNotStudiedTopic(topic) && notStudied.has(topic))
      return [
        {
          ...head,
          status: 'not_studied',
          statement: NOT_STUDIED_WORDS[topic],
          origin: 'practice',
        },
      ];
    return topic === 'driving' ? [] : [{ ...head, status: 'not_entered', origin: 'practice' }];
  });
  return [...lines, upperIntake(book, slug, intake), longest(supplement)];
};
