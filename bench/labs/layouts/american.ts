/** Defines synthetic American reports: a table below a head, in the layout of the large laboratories. */
import { condensed, courier, dejavu, times } from '../drawing.ts';
import { rowsFor, type SpecimenRow } from '../specimen.ts';
import {
  basic,
  column,
  flagged,
  name,
  type Plan,
  previous,
  type RandomOf,
  range,
  uk,
  unit,
  us,
  usTable,
  value,
} from './parts.ts';

const flagWord = (row: SpecimenRow): string => ({ H: 'High', L: 'Low', '': '' })[row.flag];
const rangeWithUnit = (row: SpecimenRow): string => `${row.range} ${row.unit}`;
const inRange = (row: SpecimenRow): string => (row.flag ? '' : row.valueText);
const outOfRange = (row: SpecimenRow): string => (row.flag ? flagged(row) : '');

const interpretation = (row: SpecimenRow): readonly string[] => {
  if (row.slug === 'hba1c')
    return [
      'For the purpose of screening for the presence of diabetes:',
      '<5.7%  Consistent with the absence of diabetes',
      '5.7-6.4%  Consistent with increased risk',
      '> or =6.5%  Consistent with diabetes',
    ];
  if (row.slug === 'ldl-cholesterol')
    return [
      'Desirable range <100 mg/dL for primary prevention; <70 mg/dL for patients with',
      'CHD or diabetic patients with two risk factors.',
    ];
  if (row.slug === 'vitamin-d')
    return ['Deficiency: <20 ng/mL   Insufficiency: 20 - 29 ng/mL   Optimal: > or = 30 ng/mL'];
  return [];
};

export const americanPlans = (random: RandomOf): Plan[] => [
  {
    id: 'box-table',
    rows: rowsFor(us, 16, random(1)),
    draw: usTable('Meadow Example Labs', { fonts: condensed, borders: 'boxes', rowHeight: 18 }, basic),
  },
  {
    id: 'quest-like',
    rows: rowsFor({ ...us, oneSided: 0.3 }, 34, random(2)),
    draw: usTable('Quarry Diagnostics (invented)', { hasSections: true, rowHeight: 14 }, [
      column('Test Name', 40, 190, name),
      column('In Range', 240, 60, inRange),
      column('Out Of Range', 310, 70, outOfRange, { isBold: () => true }),
      column('Reference Range', 390, 140, rangeWithUnit),
      column('Lab', 550, 30, () => 'EN'),
    ]),
  },
  {
    id: 'labcorp-like',
    rows: rowsFor(us, 30, random(3)),
    draw: usTable('LabCopy Example Corp', { fonts: courier, hasSections: true, rowHeight: 14 }, [
      column('TESTS', 30, 200, name),
      column('RESULT', 240, 50, value, { align: 'right' }),
      column('FLAG', 300, 40, flagWord),
      column('UNITS', 345, 110, unit),
      column('REFERENCE INTERVAL', 455, 110, range),
      column('LAB', 570, 20, () => '01'),
    ]),
  },
  {
    id: 'labcorp-new',
    rows: rowsFor(us, 24, random(4)),
    draw: usTable('LabCopy Example Corp', { borders: 'stripes', rowHeight: 17 }, [
      column('Test', 30, 170, (row) => `${row.name} 01`),
      column('Current Result and Flag', 222, 98, (row) => `${row.valueText}  ${flagWord(row)}`),
      column('Previous Result and Date', 322, 106, (row) => `${row.previous}   09/14/2025`),
      column('Units', 430, 80, unit),
      column('Reference Interval', 510, 90, range),
    ]),
  },
  {
    id: 'cumulative',
    rows: rowsFor(us, 24, random(17)),
    draw: usTable('Serial Example Laboratory', { borders: 'lines' }, [
      column('Test', 40, 150, name),
      column('Units', 195, 90, unit),
      column('03/25/2026', 290, 60, flagged),
      column('09/14/2025', 360, 60, previous),
      column('Reference Range', 450, 100, range),
    ]),
  },
  {
    id: 'si-units',
    rows: rowsFor({ ...uk, dash: '-' }, 30, random(23)).filter((row) => row.name !== 'Total white cell count'),
    draw: usTable('Metric Example Laboratory', { borders: 'stripes' }, basic),
  },
  {
    id: 'bounds',
    rows: rowsFor({ ...us, bounds: 0.6, oneSided: 0.4 }, 20, random(24)),
    draw: usTable('Boundary Example Laboratory', {}, basic),
  },
  {
    id: 'bounds-no-head',
    rows: rowsFor({ ...us, bounds: 0.5, oneSided: 0.4 }, 20, random(25)),
    draw: usTable('Boundary Example Laboratory', { hasHead: false }, basic),
  },
  {
    id: 'interpreted',
    rows: rowsFor(us, 40, random(26)),
    draw: usTable('Verbose Example Laboratory', { note: interpretation, rowHeight: 14 }, basic),
  },
  {
    id: 'star-flags',
    rows: rowsFor(us, 18, random(27)),
    draw: usTable('Starry Example Laboratory', { fonts: condensed }, [
      column('Investigation', 40, 190, name),
      column('Result', 240, 70, (row) => `${row.valueText}${row.flag ? '*' : ''}`),
      column('Unit', 320, 90, unit),
      column('Reference', 420, 100, (row) => `(${row.range})`),
    ]),
  },
  {
    id: 'long',
    rows: [...rowsFor(us, 66, random(29)), ...rowsFor(us, 66, random(30))],
    draw: usTable('Endless Example Laboratory', { hasSections: true, rowHeight: 15 }, basic),
  },
  {
    id: 'serif-boxes',
    size: 'A4',
    rows: rowsFor(us, 22, random(35)),
    draw: usTable('Serif Example Clinic', { fonts: times, borders: 'boxes', rowHeight: 19 }, basic),
  },
  {
    id: 'flags-in-value',
    rows: rowsFor(us, 24, random(36)),
    draw: usTable('Attached Example Laboratory', { fonts: dejavu }, [
      column('Component', 40, 180, name),
      column('Your Value', 230, 80, (row) => `${row.valueText}${row.flag ? ` (${row.flag})` : ''} ${row.unit}`),
      column('Standard Range', 400, 140, rangeWithUnit),
    ]),
  },
];
