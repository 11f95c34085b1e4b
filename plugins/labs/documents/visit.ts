/**
 * Builds the content of the document for a doctor's visit, with only the values that the person has confirmed and critical values
 * first. Pure.
 */
import { type Book, CATEGORY_WORDS, unitText } from '#plugins/biomarkers/index.ts';
import { dayInWords } from '#plugins/evidence/index.ts';
import { SEVERITY_WORDS } from '#plugins/interactions/index.ts';
import { type Assessed, assessAll, isOursHeldBack, isTold } from '../assess.ts';
import type { MarkerHistory } from '../history.ts';
import type { Flag } from '../report.ts';
import type { Report } from '../sealed-report.ts';
import { populationOf } from '../shown.ts';
import type { Interplay } from '../supplements/interplay.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';
import { checkedInWords, doseInWords } from '../supplements/page.ts';
import { type Question, questionsOf } from './questions.ts';
import { kindInWords } from './range-kind.ts';

export interface ValueRow {
  readonly name: string;
  readonly result: string;
  readonly printed: string;
  /** Our range in the printed unit, with the number of its source. */
  readonly ours: string;
  readonly beside: string;
  /** The previous value with its day; "" if there is none. */
  readonly earlier: string;
}

export interface Visit {
  readonly title: string;
  /** Facts about the draw and the person, as stated by the person. */
  readonly facts: readonly { readonly what: string; readonly is: string }[];
  readonly critical: readonly ValueRow[];
  readonly outside: readonly ValueRow[];
  readonly groups: readonly { readonly name: string; readonly rows: readonly ValueRow[] }[];
  readonly notes: readonly string[];
  readonly questions: readonly Question[];
  readonly taken: readonly {
    readonly name: string;
    readonly kind: string;
    readonly dose: string;
    readonly started: string;
    readonly stopped: string;
  }[];
  readonly interactions: readonly {
    readonly pair: string;
    readonly severity: string;
    readonly toDo: string;
    readonly effect: string;
    readonly address: string;
  }[];
  readonly depletions: readonly string[];
  readonly checked: readonly string[];
  readonly sources: readonly {
    readonly number: number;
    readonly name: string;
    readonly address: string;
    readonly population: string;
  }[];
}

export interface VisitParts {
  readonly book: Book;
  readonly report: Report;
  readonly history: readonly MarkerHistory[];
  readonly log: readonly LogEntry[];
  readonly interplay: Interplay;
  readonly baseUrl: string;
}

const FLAG_WORDS: Readonly<Record<Flag, string>> = {
  low: 'below',
  normal: 'within',
  high: 'above',
  critical: 'critical',
  unknown: 'not compared',
};

const plain = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6, useGrouping: false });
/** Converted bounds have at most three significant digits, as a laboratory would print them. */
const converted = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3, useGrouping: false });

/**
 * Formats our range in the printed unit if it converts, otherwise in the marker's own unit. Returns "" if no range applies to the
 * person.
 */
const oursOf = (book: Book, { kept, marker, range }: Assessed): string => {
  if (!marker || !range) return '';
  const to = kept.ucum && book.convert(marker, 1, marker.ucum, kept.ucum) !== null ? kept.ucum : marker.ucum;
  const shown = (bound: number): string =>
    (to === marker.ucum ? plain : converted).format(book.convert(marker, bound, marker.ucum, to) ?? bound);
  const { low, high } = range;
  const unit = unitText(to);
  const bounds =
    low !== null && high !== null
      ? `${shown(low)} to ${shown(high)}`
      : high !== null
        ? `up to ${shown(high)}`
        : low !== null
          ? `from ${shown(low)}`
          : '';
  return bounds && `${bounds} ${unit}`.trim() + kindInWords(range);
};

const sourcesOf = () => {
  const known = new Map<string, { number: number; name: string; address: string; population: string }>();
  return {
    numberOf: ({ range }: Assessed): number | null => {
      if (!range) return null;
      const population = populationOf(range);
      const key = `${range.source.url} ${population}`;
      const number = known.get(key)?.number ?? known.size + 1;
      known.set(key, { number, name: range.source.name, address: range.source.url, population });
      return number;
    },
    all: () => [...known.values()],
  };
};

/** Returns the value of the same marker before this report, with its day; "" if there is none. */
const earlierOf = ({ marker }: Assessed, { report, history }: Pick<VisitParts, 'report' | 'history'>): string => {
  const draws = history.find((one) => one.marker.slug === marker?.slug)?.draws ?? [];
  const own = draws.find(({ reportId }) => reportId === report.reportId)?.day;
  const before =
    own === undefined ? undefined : draws.findLast(({ day, reportId }) => day < own && reportId !== report.reportId);
  if (!before) return '';
  const { kept } = before.assessed;
  return `${kept.valueText} ${kept.unit} (${before.day})`.replace(/ {2,}/g, ' ');
};

const factsOf = (report: Report, confirmed: number): Visit['facts'] => {
  const person = [
    report.sex ?? 'sex not given',
    report.birthYear === null ? 'year of birth not given' : `born ${report.birthYear}`,
    report.isPregnant === null ? '' : report.isPregnant ? 'pregnant' : 'not pregnant',
  ];
  const day = report.collectedAt ?? report.reportedAt;
  return [
    { what: 'Person, as given', is: person.filter(Boolean).join(', ') },
    { what: report.collectedAt ? 'Drawn on' : 'Reported on', is: day ? dayInWords(day) : 'day not given' },
    { what: 'Laboratory', is: report.labName || 'not given' },
    { what: 'Fasting', is: report.isFasting === null ? 'not given' : report.isFasting ? 'yes' : 'no' },
    { what: 'Values', is: `${confirmed} confirmed by the person` },
  ];
};

const NOTE_UNTOLD =
  'Our own ranges depend on sex, year of birth and pregnancy. As not all of these were given, only printed ranges are shown.';

const notesOf = (report: Report, all: readonly Assessed[]): string[] => {
  const open = all.filter(({ kept }) => !kept.confirmed).length;
  return [
    ...(open
      ? [
          `${open} more ${open === 1 ? 'value was' : 'values were'} read off this report and not confirmed by the person; ${open === 1 ? 'it is' : 'they are'} left out.`,
        ]
      : []),
    ...(isTold(report) ? [] : [NOTE_UNTOLD]),
  ];
};

/** Categories in the order of the list of biomarkers; values without a known marker come last. */
const CATEGORIES = [...Object.keys(CATEGORY_WORDS), 'other'];

const grouped = (rows: readonly { readonly assessed: Assessed; readonly row: ValueRow }[]): Visit['groups'] =>
  CATEGORIES.flatMap((category) => {
    const own = rows.filter(({ assessed: { marker } }) => (marker?.category ?? 'other') === category);
    return own.length ? [{ name: CATEGORY_WORDS[category] ?? 'Other values', rows: own.map(({ row }) => row) }] : [];
  });

const isOutside = ({ flag }: Assessed): boolean => flag === 'low' || flag === 'high' || flag === 'critical';

export const visitOf = (parts: VisitParts): Visit => {
  const { book, report, history, log, interplay, baseUrl } = parts;
  const sources = sourcesOf();
  const all = assessAll(book, report);
  const rows = all
    .filter(({ kept }) => kept.confirmed)
    .map((assessed) => {
      const [ours, number] = [oursOf(book, assessed), sources.numberOf(assessed)];
      const { kept, marker, flag, flaggedBy } = assessed;
      const row: ValueRow = {
        name: marker?.name ?? kept.rawName,
        result: `${kept.valueText} ${kept.unit}`.trim(),
        printed: kept.range.text || 'none printed',
        ours: ours
          ? `${ours} [${number}]`
          : isOursHeldBack(report, assessed)
            ? 'none for the details given'
            : 'none held',
        beside: `${FLAG_WORDS[flag]}${flaggedBy === 'ours' && flag !== 'unknown' ? ' ours' : ''}`,
        earlier: earlierOf(assessed, { report, history }),
      };
      return { assessed, row };
    });
  const absolute = (url: string): string => new URL(url, baseUrl).href;
  return {
    title: 'Laboratory values for a visit to the doctor',
    facts: factsOf(report, rows.length),
    critical: rows.filter(({ assessed }) => assessed.flag === 'critical').map(({ row }) => row),
    outside: rows.filter(({ assessed }) => isOutside(assessed) && assessed.flag !== 'critical').map(({ row }) => row),
    groups: grouped(rows),
    notes: notesOf(report, all),
    questions: questionsOf({ rows, interplay, log, since: sinceOf(report, history) }),
    taken: log.map((entry) => ({
      name: entry.isGuess ? `${entry.name} (written “${entry.given}”)` : entry.name,
      kind: entry.kind,
      dose: doseInWords(entry) || 'not given',
      started: entry.startedAt,
      stopped: entry.stoppedAt ?? 'still taken',
    })),
    interactions: interplay.pairs.map(({ a, b, found }) => ({
      pair: `${a.name} and ${b.name}`,
      severity: SEVERITY_WORDS[found.severity],
      toDo: found.to_do,
      effect: found.effect,
      address: absolute(found.url),
    })),
    depletions: interplay.depletions.map(
      ({ drug, nutrient, effect, url }) => `${nutrient}, with ${drug}: ${effect} ${absolute(url)}`,
    ),
    checked: checkedInWords(interplay),
    sources: sources.all(),
  };
};

/** Returns the day of the last draw before this report; null if this is the first. */
const sinceOf = (report: Report, history: readonly MarkerHistory[]): string | null => {
  const own = report.collectedAt ?? report.reportedAt ?? report.createdAt.slice(0, 10);
  const days = history.flatMap(({ draws }) => draws.map(({ day }) => day)).filter((day) => day < own);
  return days.sort().at(-1) ?? null;
};
