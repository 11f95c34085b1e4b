/** Recommended and upper daily amounts as an authority set them; consecutive ages with one value share a row. */
import { type Static, Type } from 'typebox';
import { LinkView } from '#plugins/evidence/index.ts';
import type { IntakeRow } from '#plugins/vocabulary/index.ts';

const Row = Type.Object({ group: Type.String(), ages: Type.String(), amount: Type.String(), kind: Type.String() });
type Row = Static<typeof Row>;

export const IntakeView = Type.Object({
  unit: Type.String(),
  recommended: Type.Array(Row),
  /** Empty if no limit was set, which does not mean that any amount is safe. */
  upper: Type.Array(Row),
  upperNote: Type.String(),
  authority: LinkView,
});
export type IntakeView = Static<typeof IntakeView>;

interface Entry {
  readonly group: string;
  readonly age?: string;
  readonly value: number | null;
  readonly kind?: string;
  readonly note?: string;
}

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 });
const amountOf = ({ value }: Entry): string => (value === null ? 'none set' : figures.format(value));

interface Ages {
  readonly from: number;
  /** Infinity for "71+". */
  readonly to: number;
}

const agesOf = (age = ''): Ages | null => {
  const match = /^(\d+)(?:-(\d+)|(\+))?$/.exec(age);
  if (!match) return null;
  const from = Number(match[1]);
  return { from, to: match[3] ? Number.POSITIVE_INFINITY : Number(match[2] ?? from) };
};

const inWords = ({ from, to }: Ages): string =>
  to === Number.POSITIVE_INFINITY ? `${from} and over` : `${from} to ${to}`;

/** Builds the rows: adjacent ages of one group with one value are merged; all others stay as given. */
const rowsOf = (entries: readonly Entry[]): Row[] => {
  const rows: (Row & { span: Ages | null; note: string })[] = [];
  for (const entry of entries) {
    const span = agesOf(entry.age);
    const row = { group: entry.group, amount: amountOf(entry), kind: entry.kind ?? '', note: entry.note ?? '' };
    const last = rows.at(-1);
    const same = last && last.group === row.group && last.amount === row.amount && last.kind === row.kind;
    if (same && span && last.span && last.span.to + 1 === span.from && last.note === row.note) {
      const joined = { from: last.span.from, to: span.to };
      rows[rows.length - 1] = { ...last, span: joined, ages: inWords(joined) };
    } else {
      rows.push({ ...row, span, ages: span ? inWords(span) : (entry.age ?? '') });
    }
  }
  return rows.map(({ group, ages, amount, kind, note }) => ({
    group: note ? `${group} (${note})` : group,
    ages,
    amount,
    kind,
  }));
};

export const intakeView = (row: IntakeRow | undefined): IntakeView | null => {
  if (!row) return null;
  const { unit, recommended, upperLimit, authority } = row;
  const adult = upperLimit?.adult ?? null;
  // The limit applies to adults of every age, unless older adults have a limit of their own.
  const older = (upperLimit?.groups ?? []).flatMap(({ group, age }) =>
    group === 'Male' || group === 'Female' ? (agesOf(age)?.from ?? 0) : 0,
  );
  const next = Math.min(...older.filter((from) => from > 19));
  const age = Number.isFinite(next) ? `19-${next - 1}` : '19+';
  const adults: Entry[] = upperLimit && adult !== null ? [{ group: 'Adults', age, value: adult }] : [];
  return {
    unit,
    recommended: rowsOf(recommended),
    upper: rowsOf([...adults, ...(upperLimit?.groups ?? [])]),
    upperNote: upperLimit?.note ?? '',
    authority: { name: authority.name, href: authority.address },
  };
};
