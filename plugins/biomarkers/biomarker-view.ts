/** Builds the template variables of a biomarker's page. */
import { type Static, Type } from 'typebox';
import { CrumbList, dayInWords, HistoryView, historyView, LinkView } from '#plugins/evidence/index.ts';
import { CareView, careOf } from '#plugins/interactions/index.ts';
import type { BiomarkerRow } from './entities.ts';
import type { Marker } from './marker.ts';
import { type Known, MovedBy, movedBy } from './moved-by.ts';
import { BandChart, bandsOf, figure, RangeView, rangeView, rangeWords } from './range-words.ts';
import { CATEGORY_WORDS } from './schemas.ts';
import { unitText } from './units.ts';

export const BiomarkerView = Type.Object({
  crumbs: CrumbList,
  name: Type.String(),
  category: LinkView,
  specimen: Type.String(),
  unit: Type.String(),
  /** Purpose of the test and the difficulties of reading a result, as plain sentences. */
  lead: Type.String(),
  /** Paragraphs after the lead: how supplements and medicines relate to the marker. */
  more: Type.Array(Type.String()),
  /** A summary of the ranges: how many there are, from how many sources, and that they differ. */
  inBrief: Type.String(),
  ranges: Type.Array(RangeView),
  chart: Type.Union([BandChart, Type.Null()]),
  critical: Type.Union([Type.Object({ text: Type.String(), source: LinkView }), Type.Null()]),
  scale: Type.Array(Type.String()),
  units: Type.Array(Type.Object({ name: Type.String(), toOwn: Type.String(), fromOwn: Type.String() })),
  /** Sources of the conversion factors that UCUM does not define. */
  factorSources: Type.Array(LinkView),
  redFlags: Type.Array(Type.String()),
  seeDoctor: Type.Array(Type.String()),
  care: CareView,
  movedBy: MovedBy,
  howToTest: Type.String(),
  names: Type.Array(Type.String()),
  loinc: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), href: Type.String() })),
  sources: Type.Array(LinkView),
  editedOn: Type.String(),
  history: HistoryView,
});
export type BiomarkerView = Static<typeof BiomarkerView>;

export const SPECIMEN_WORDS: Readonly<Record<Marker['specimen'], string>> = { blood: 'Blood', urine: 'Urine' };

const briefOf = ({ ranges, kind, scale }: Marker): string => {
  if (kind === 'ordinal') return `Read off a strip in steps; “${scale[0] ?? ''}” is what is expected.`;
  if (!ranges.length) return 'We hold no sourced range for it: go by the one that your laboratory prints.';
  const sources = new Set(ranges.map(({ source }) => source.url)).size;
  return sources > 1
    ? `We hold ${ranges.length} ranges from ${sources} sources, which differ by source or by the people they are for. The range that your laboratory prints comes first.`
    : `We hold ${ranges.length === 1 ? 'one range' : `${ranges.length} ranges`} from one source. The range that your laboratory prints comes first.`;
};

const short = (value: number): string => figure(Number(value.toPrecision(4)));

const unitsOf = ({ ucum, units }: Marker): BiomarkerView['units'] =>
  units
    .filter((unit) => unit.ucum !== ucum && unitText(unit.ucum))
    .map((unit) => ({ name: unitText(unit.ucum), toOwn: short(unit.factor), fromOwn: short(1 / unit.factor) }));

const criticalOf = ({ critical, ucum }: Marker): BiomarkerView['critical'] => {
  if (!critical) return null;
  const { low, high, source } = critical;
  const ends = [low === null ? '' : `under ${figure(low)}`, high === null ? '' : `over ${figure(high)}`];
  return {
    text: `${ends.filter(Boolean).join(' or ')} ${unitText(ucum)}`.trim(),
    source: { name: source.name, href: source.url },
  };
};

const factorSourcesOf = ({ entry }: BiomarkerRow): LinkView[] =>
  (entry.units ?? []).flatMap(({ source }) => (source ? [{ name: source.name, href: source.address }] : []));

const paragraphsOf = (body: string): string[] =>
  body
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' '));

export const biomarkerView = (row: BiomarkerRow, known: Known): BiomarkerView => {
  const { marker, entry } = row;
  const [lead = '', ...more] = paragraphsOf(row.body);
  return {
    crumbs: [
      { name: 'Biomarkers', href: '/biomarkers' },
      { name: marker.name, href: `/biomarkers/${marker.slug}` },
    ],
    name: marker.name,
    category: {
      name: CATEGORY_WORDS[marker.category] ?? marker.category,
      href: `/biomarkers?category=${marker.category}`,
    },
    specimen: SPECIMEN_WORDS[marker.specimen],
    unit: unitText(marker.ucum),
    lead,
    more,
    inBrief: briefOf(marker),
    ranges: marker.ranges.map(rangeView),
    chart: bandsOf(marker),
    critical: criticalOf(marker),
    scale: [...marker.scale],
    units: unitsOf(marker),
    factorSources: factorSourcesOf(row),
    redFlags: [...(entry.red_flags ?? [])],
    seeDoctor: [...(entry.see_doctor ?? [])],
    care: careOf(known.book, entry),
    movedBy: movedBy(entry, known),
    howToTest: entry.how_to_test ?? '',
    names: marker.names.slice(1),
    loinc: marker.loinc.map(({ code, name }) => ({ code, name, href: `https://loinc.org/${code}` })),
    sources: entry.sources.map(({ name, address }) => ({ name, href: address })),
    editedOn: dayInWords(`${entry.updated_at}T00:00:00Z`),
    history: historyView(entry.changes),
  };
};

/** Returns up to six ranges as text for JSON-LD, for example "16 to 154 ng/mL (women, 19 to 40 years)". */
export const rangeInBrief = ({ ranges, ucum }: Marker): string =>
  ranges
    .slice(0, 6)
    .map((range) => `${rangeWords(range)} ${unitText(ucum)} (${rangeView(range).population.toLowerCase()})`)
    .join('; ');
