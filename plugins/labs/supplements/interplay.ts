/** Finds interactions between things that a person takes concurrently, with the checker of the interactions plugin. */
import { checkStack, type InteractionServices, pairToDo, type Severity } from '#plugins/interactions/index.ts';
import type { LogEntry } from './kept-entry.ts';

export const NO_RECORD = 'No record in our sources. This does not mean the combination is safe.';

export interface OtherEnd {
  readonly log_id: number;
  readonly name: string;
  readonly slug: string;
  readonly kind: LogEntry['kind'];
}

export interface Interaction {
  readonly with: OtherEnd;
  readonly severity: Severity;
  /** Recommended action, in words. */
  readonly to_do: string;
  readonly effect: string;
  readonly recommendation: string;
  /** Hours to keep between the two; null if none are stated. */
  readonly separate_hours: number | null;
  readonly url: string;
  /** One of the names was corrected as a misspelling. */
  readonly needs_confirmation: boolean;
}

/** Results of the checks of one entry, including pairs without a record. */
export interface Checked {
  /** Number of pairs, one with each other thing that is taken. */
  readonly pairs: number;
  readonly found: number;
  readonly no_record: number;
  /** Pairs of two medicines, which are not covered here. */
  readonly not_covered: number;
  /** Pairs with an unknown name, for which nothing was looked up. */
  readonly not_recognised: number;
  readonly message: string;
}

export interface Interplay {
  of(logId: number): { readonly interactions: readonly Interaction[]; readonly checked: Checked };
  /** Each pair once, the most serious first. */
  readonly pairs: readonly { readonly a: OtherEnd; readonly b: OtherEnd; readonly found: Omit<Interaction, 'with'> }[];
  /** Number of pairs without a record in our sources. They are never described as safe. */
  readonly withoutRecord: number;
  readonly notCovered: number;
  readonly notRecognised: number;
  /** Nutrients that a medicine on the list is known to lower. */
  readonly depletions: readonly {
    readonly drug: string;
    readonly nutrient: string;
    readonly effect: string;
    readonly url: string;
  }[];
}

const endOf = ({ logId, name, slug, kind }: LogEntry): OtherEnd => ({ log_id: logId, name, slug, kind });

/**
 * Returns the checker's input: the slug if the entry was recognised as a supplement or a substance, otherwise the name as given,
 * which the checker resolves again.
 */
const inputOf = ({ slugKind, slug, given, name }: LogEntry): string =>
  slugKind === 'supplement' || slugKind === 'substance' ? slug : given || name;

const sentence = (count: number, words: string): string => (count ? ` ${count} ${words}` : '');

const messageOf = ({ pairs, found, no_record, not_covered, not_recognised }: Omit<Checked, 'message'>): string => {
  if (!pairs) return 'Nothing else is on the list, so there was no pair to check. This says nothing about its safety.';
  const rest = [
    sentence(
      not_covered,
      not_covered === 1
        ? 'pair is of two medicines, which are not covered here: ask a pharmacist.'
        : 'pairs are of two medicines, which are not covered here: ask a pharmacist.',
    ),
    sentence(
      not_recognised,
      not_recognised === 1
        ? 'pair has a name that we do not know: nothing was looked up.'
        : 'pairs have a name that we do not know: nothing was looked up.',
    ),
  ].join('');
  const of = `Checked with ${pairs} other ${pairs === 1 ? 'entry' : 'entries'}.`;
  const hits = sentence(found, found === 1 ? 'interaction has a record.' : 'interactions have a record.');
  const none = no_record ? ` ${found ? `For ${no_record} more: ` : ''}${NO_RECORD}` : '';
  return `${of}${hits}${none}${rest}`;
};

const NOT_TAKEN: Checked = {
  pairs: 0,
  found: 0,
  no_record: 0,
  not_covered: 0,
  not_recognised: 0,
  message: 'It is not taken any more, so nothing was checked.',
};

type Stack = Awaited<ReturnType<typeof checkStack>>;

/** Groups entries by input. Entries of one name are one thing, and the checker merges synonyms. */
const groupsOf = (open: readonly LogEntry[]): ReadonlyMap<string, readonly LogEntry[]> => {
  const groups = new Map<string, LogEntry[]>();
  for (const entry of open) {
    const key = inputOf(entry).trim();
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return groups;
};

const foundOf = (finding: Stack['findings'][number], ends: readonly LogEntry[]): Omit<Interaction, 'with'> => ({
  severity: finding.severity,
  to_do: pairToDo(finding.severity, finding.action),
  effect: finding.effect,
  recommendation: finding.recommendation,
  separate_hours: finding.timing?.separate_hours ?? null,
  url: finding.url,
  needs_confirmation: finding.needs_confirmation || ends.some(({ isGuess }) => isGuess),
});

const EMPTY: Interplay = {
  of: () => ({ interactions: [], checked: NOT_TAKEN }),
  pairs: [],
  withoutRecord: 0,
  notCovered: 0,
  notRecognised: 0,
  depletions: [],
};

/** Returns a function that maps an input of the checker to its entries, including those under a synonym. */
const entriesBehind = (groups: ReadonlyMap<string, readonly LogEntry[]>, { duplicates }: Stack) => {
  const also = new Map<string, string[]>();
  for (const { input, same_as } of duplicates) also.set(same_as, [...(also.get(same_as) ?? []), input]);
  return (input: string): readonly LogEntry[] =>
    [input, ...(also.get(input) ?? [])].flatMap((one) => groups.get(one) ?? []);
};

/**
 * Checks the entries against each other.
 * @param entries of one device; stopped entries are ignored.
 */
export const interplayOf = async (services: InteractionServices, entries: readonly LogEntry[]): Promise<Interplay> => {
  const open = entries.filter(({ stoppedAt }) => stoppedAt === null);
  if (!open.length) return EMPTY;
  const book = await services.book();
  const groups = groupsOf(open);
  const inputs = (kind: LogEntry['kind']) =>
    [...groups].filter(([, [first]]) => first?.kind === kind).map(([input]) => input);
  const stack = await checkStack(book, services.names(book), {
    supplements: inputs('supplement'),
    drugs: inputs('medicine'),
    foods: [],
    conditions: [],
  });
  const behind = entriesBehind(groups, stack);
  const interactions = new Map<number, Interaction[]>(open.map(({ logId }) => [logId, []]));
  const tally = new Map(
    open.map(({ logId }) => [logId, { pairs: 0, found: 0, no_record: 0, not_covered: 0, not_recognised: 0 }]),
  );
  const pairs = stack.findings.flatMap((finding) => {
    const [these, those] = [behind(finding.a.input), behind(finding.b.input)];
    const found = foundOf(finding, [...these, ...those]);
    for (const a of these)
      for (const b of those) {
        interactions.get(a.logId)?.push({ with: endOf(b), ...found });
        interactions.get(b.logId)?.push({ with: endOf(a), ...found });
      }
    const [a, b] = [these[0], those[0]];
    return a && b ? [{ a: endOf(a), b: endOf(b), found }] : [];
  });
  for (const cell of stack.matrix) {
    const status = cell.status === 'unresolved' ? 'not_recognised' : cell.status;
    for (const entry of [...behind(cell.a.input), ...behind(cell.b.input)]) {
      const counts = tally.get(entry.logId);
      if (!counts) continue;
      counts.pairs += 1;
      counts[status] += 1;
    }
  }
  return {
    of: (logId) => {
      const counts = tally.get(logId);
      if (!counts) return { interactions: [], checked: NOT_TAKEN };
      return { interactions: interactions.get(logId) ?? [], checked: { ...counts, message: messageOf(counts) } };
    },
    pairs,
    withoutRecord: stack.summary.no_record,
    notCovered: stack.summary.not_covered,
    notRecognised: stack.summary.unresolved,
    depletions: stack.depletions.map(({ drug, nutrient, effect, slug }) => ({
      drug,
      nutrient: nutrient.name,
      effect,
      url: `/interactions/${nutrient.slug}#${slug}`,
    })),
  };
};
