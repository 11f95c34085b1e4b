/**
 * Compares the labels of an import with the statements that editors have read, and reports new, changed and settled sentences.
 */
import type { PlacedStatement } from '../rules/label-table.ts';
import type { CandidateRow } from './candidate-table.ts';
import type { Candidate } from './candidates.ts';
import { type DrugLabel, describeLabel, withoutTable } from './label.ts';
import type { LabelMedicine } from './label-medicines.ts';
import { candidateId, foldText } from './label-sentences.ts';
import { type FoldedLabel, isSameSection } from './label-text.ts';
import type { NameFinder } from './supplement-names.ts';

/** A row of labels.tsv whose medicine has the name that the drug book uses. */
export interface ConfirmedRow extends PlacedStatement {
  readonly medicine: string;
}

export interface ReadLabel {
  readonly label: DrugLabel;
  readonly medicines: readonly LabelMedicine[];
  readonly candidates: readonly Candidate[];
  /** Present only for labels that a confirmed row quotes. */
  readonly folded: FoldedLabel | null;
}

export interface MergeCounts {
  /** Sentences that nobody has read: those of this import, and how many of them were not listed before. */
  unread: number;
  added: number;
  confirmed: number;
  dismissed: number;
  /** Sentences of another manufacturer's label, for a pair that already has a row in labels.tsv. */
  covered: number;
  /** Sentences that were listed before and are absent from the newer edition of their label. */
  withdrawn: number;
  changed: number;
  moved: number;
  /** Quotes that were found again exactly as in labels.tsv. */
  standing: number;
  /** Quotes from the counselling section that a file without this section can neither confirm nor refute. */
  unchecked: number;
  /** Editions older than the one that was read. */
  older: number;
}

interface Edition {
  readonly version: number;
  readonly effective: string;
  readonly about: string;
}

/** More serious sections: a sentence there is read even if the pair has a milder row from another label. */
const GRAVE = new Set(['boxed_warning', 'contraindications']);

/** Every current label ends with this section; a file that lacks it is an extract. */
const COUNSELLING = 'information_for_patients';

const isOlder = (a: Edition, b: Edition): boolean =>
  a.effective !== b.effective ? a.effective < b.effective : a.version < b.version;

const keyOf = (supplement: string, medicine: string): string => `${supplement}\n${medicine}`;

const overlaps = (a: string, b: string): boolean => {
  const [one, other] = [foldText(a), foldText(b)];
  return one.includes(other) || other.includes(one);
};

interface Offered {
  readonly candidate: Candidate;
  /** Set ids of the labels that contain the sentence. */
  readonly setIds: Set<string>;
}

export class LabelMerge {
  readonly #confirmed: readonly ConfirmedRow[];
  readonly #known: ReadonlyMap<string, CandidateRow>;
  readonly #find: NameFinder;
  readonly #rowsOfLabel: ReadonlyMap<string, readonly ConfirmedRow[]>;
  readonly #rowsOfPair: ReadonlyMap<string, readonly ConfirmedRow[]>;
  readonly #editions = new Map<string, Edition>();
  readonly #offered = new Map<string, Offered>();
  readonly #ofLabel = new Map<string, string[]>();
  readonly #changes = new Map<string, CandidateRow>();
  /** Rows whose quote is still in the label, or whose label was not compared. */
  readonly #standing = new Map<string, ConfirmedRow>();
  readonly #unchecked = new Set<string>();
  #older = 0;

  constructor(confirmed: readonly ConfirmedRow[], known: readonly CandidateRow[], find: NameFinder) {
    this.#confirmed = confirmed;
    this.#known = new Map(known.map((row) => [row.id, row]));
    this.#find = find;
    this.#rowsOfLabel = Map.groupBy(confirmed, ({ statement }) => statement.setId);
    this.#rowsOfPair = Map.groupBy(confirmed, ({ statement, medicine }) => keyOf(statement.supplement.slug, medicine));
  }

  isQuoted(setId: string): boolean {
    return this.#rowsOfLabel.has(setId);
  }

  /** Adds a label. Of two editions of one label the newer counts, in whichever order they are added. */
  add({ label, candidates, folded }: ReadLabel): void {
    const { setId, version, effective } = label;
    const edition = { version, effective, about: describeLabel(label) };
    const before = this.#editions.get(setId);
    if (before && isOlder(edition, before)) {
      this.#older += 1;
      return;
    }
    if (before) this.#forget(setId);
    this.#editions.set(setId, edition);
    for (const candidate of candidates) {
      const known = this.#offered.get(candidate.id);
      if (known) known.setIds.add(setId);
      else this.#offered.set(candidate.id, { candidate, setIds: new Set([setId]) });
    }
    if (candidates.length)
      this.#ofLabel.set(
        setId,
        candidates.map(({ id }) => id),
      );
    if (folded) for (const row of this.#rowsOfLabel.get(setId) ?? []) this.#compare(row, folded, edition);
  }

  /** Removes an earlier edition of this import: its sentences stay only if another label has them. */
  #forget(setId: string): void {
    this.#older += 1;
    for (const id of this.#ofLabel.get(setId) ?? []) {
      const offered = this.#offered.get(id);
      offered?.setIds.delete(setId);
      if (!offered?.setIds.size) this.#offered.delete(id);
    }
    this.#ofLabel.delete(setId);
  }

  #compare(row: ConfirmedRow, folded: FoldedLabel, { version, effective, about }: Edition): void {
    const { statement, medicine } = row;
    const { supplement, quote, date, setId, section } = statement;
    const id = candidateId(supplement.slug, medicine, `change of ${setId}`);
    this.#changes.delete(id);
    this.#standing.delete(id);
    this.#unchecked.delete(id);
    const sections = folded.sectionsWith(quote);
    const common = {
      id,
      supplement: supplement.slug,
      medicine: statement.medicine,
      set_id: setId,
      date: effective,
      label: about,
    };
    const edition = { ...common, version: version ? String(version) : '', reason: '' };
    if (sections.some((name) => isSameSection(name, section))) this.#standing.set(id, row);
    // An edition older than the one that was read is no evidence about the current label.
    else if (effective && effective < date) this.#older += 1;
    else if (sections[0])
      this.#changes.set(id, {
        ...edition,
        state: 'moved',
        section: sections[0],
        sentence: quote,
        before: withoutTable(section),
      });
    else {
      const sentence = folded.nearest(quote, supplement.slug, this.#find);
      if (!sentence && section === COUNSELLING && !folded.hasSection(COUNSELLING)) this.#unchecked.add(id);
      else this.#changes.set(id, { ...edition, state: 'changed', section, sentence, before: quote });
    }
  }

  #editionOf(setIds: Iterable<string>): readonly [setId: string, edition: Edition] {
    const all = [...setIds].map((setId) => [setId, this.#editions.get(setId)!] as const);
    return all.reduce((newest, one) => (isOlder(newest[1], one[1]) ? one : newest));
  }

  #rowOf({ candidate, setIds }: Offered): CandidateRow {
    const [setId, { version, effective, about }] = this.#editionOf(setIds);
    const { id, supplement, medicine, section, sentence } = candidate;
    return {
      id,
      state: 'new',
      supplement,
      medicine: medicine.name,
      set_id: setId,
      version: version ? String(version) : '',
      date: effective,
      section,
      label: about,
      sentence,
      before: '',
      reason: medicine.isKnown ? '' : 'the list of medicines has no such name',
    };
  }

  /** Returns "confirmed" if a row quotes the sentence, "covered" if a row from another label covers the pair, or null. */
  #settled({ candidate, setIds }: Offered): 'confirmed' | 'covered' | null {
    const { supplement, medicine, sentence, section } = candidate;
    const rows = [...medicine.parts].flatMap((part) => this.#rowsOfPair.get(keyOf(supplement, part)) ?? []);
    if (rows.some(({ statement }) => overlaps(statement.quote, sentence))) return 'confirmed';
    const isOther = rows.some(({ statement }) => !setIds.has(statement.setId));
    const isMilder = rows.every(({ statement }) => statement.severity !== 'contraindicated');
    return rows.length && isOther && !(GRAVE.has(withoutTable(section)) && isMilder) ? 'covered' : null;
  }

  /** Returns the previous rows that remain: those that this import neither replaces nor refutes. */
  #kept(counts: MergeCounts): CandidateRow[] {
    const confirmedIds = new Set(
      this.#confirmed.map(({ statement, medicine }) =>
        candidateId(statement.supplement.slug, medicine, `change of ${statement.setId}`),
      ),
    );
    return [...this.#known.values()].filter((row) => {
      if (row.state === 'dismissed') return true;
      if (row.state === 'changed' || row.state === 'moved')
        return (
          confirmedIds.has(row.id) &&
          !this.#standing.has(row.id) &&
          !this.#changes.has(row.id) &&
          !this.#unchecked.has(row.id)
        );
      if (this.#offered.has(row.id)) return false;
      const edition = this.#editions.get(row.set_id);
      if (!edition || edition.effective < row.date) return true;
      counts.withdrawn += 1;
      return false;
    });
  }

  finish(): {
    readonly rows: readonly CandidateRow[];
    readonly added: readonly CandidateRow[];
    readonly changes: readonly CandidateRow[];
    readonly counts: MergeCounts;
  } {
    const changes = [...this.#changes.values()];
    const counts: MergeCounts = {
      unread: 0,
      added: 0,
      confirmed: 0,
      dismissed: 0,
      covered: 0,
      withdrawn: 0,
      changed: changes.filter(({ state }) => state === 'changed').length,
      moved: changes.filter(({ state }) => state === 'moved').length,
      standing: this.#standing.size,
      unchecked: this.#unchecked.size,
      older: this.#older,
    };
    const rows = [...this.#kept(counts), ...changes];
    const added: CandidateRow[] = [];
    for (const [id, offered] of this.#offered) {
      const known = this.#known.get(id);
      if (known?.state === 'dismissed') {
        counts.dismissed += 1;
        continue;
      }
      const settled = this.#settled(offered);
      if (settled) {
        counts[settled] += 1;
        continue;
      }
      const row = this.#rowOf(offered);
      // Keep the listed row if it is newer than the found one, or if it is the same edition in another format.
      const isListed = known && (known.date > row.date || (known.date === row.date && known.set_id === row.set_id));
      rows.push(isListed ? known : row);
      counts.unread += 1;
      if (!known) added.push(row);
    }
    counts.added = added.length;
    return { rows, added, changes, counts };
  }
}
