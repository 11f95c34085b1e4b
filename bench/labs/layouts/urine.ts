/** Defines synthetic reports with urine strips whose results are words, alone or below blood values. */
import { rowsFor, type SpecimenRow } from '../specimen.ts';
import { european, germanTable } from './european.ts';
import { basic, column, name, type Plan, type RandomOf, range, us, usTable, value } from './parts.ts';

const strips = `urine-glucose;Glucose;Negative;Negative|urine-protein;Protein;Trace;Negative|urine-ketones;Ketones;1+;Negative|urine-blood;Blood;Negative;Negative|urine-nitrite;Nitrite;Negative;Negative|urine-leukocyte-esterase;Leukocyte esterase;2+;Negative|urine-bilirubin;Bilirubin;Negative;Negative`;
const germanStrips = `urine-glucose;Glukose;negativ;negativ|urine-protein;Eiweiß;(+);negativ|urine-ketones;Ketone;negativ;negativ|urine-nitrite;Nitrit;positiv;negativ|urine-leukocyte-esterase;Leukozyten;++;negativ|urine-bilirubin;Bilirubin;negativ;negativ`;

const urineRow = (
  slug: string,
  printedName: string,
  valueText: string,
  printedRange: string,
  number: number | null = null,
): SpecimenRow => ({
  section: 'Urinalysis',
  slug,
  name: printedName,
  valueText,
  value: number,
  comparator: '=',
  unit: '',
  ucum: '',
  range: printedRange,
  flag: '',
  previous: '',
});

const stripRows = (list: string): SpecimenRow[] =>
  list.split('|').map((line) => urineRow(...(line.split(';') as [string, string, string, string])));

const urineRows: readonly SpecimenRow[] = [
  ...stripRows(strips),
  urineRow('urine-ph', 'pH', '6.5', '5.0-8.0', 6.5),
  urineRow('urine-specific-gravity', 'Specific gravity', '1.018', '1.005-1.030', 1.018),
];

const germanUrineRows: readonly SpecimenRow[] = [
  ...stripRows(germanStrips),
  urineRow('urine-ph', 'pH', '6,5', '5,0-8,0', 6.5),
  urineRow('urine-specific-gravity', 'Spezifisches Gewicht', '1,018', '1,005-1,030', 1.018),
];

export const urinePlans = (random: RandomOf): Plan[] => [
  {
    id: 'urine-strip',
    testType: 'urine',
    rows: urineRows,
    draw: usTable('Dipper Example Laboratory', {}, [
      column('URINALYSIS', 40, 180, name),
      column('Result', 240, 80, value),
      column('Reference Range', 340, 100, range),
    ]),
  },
  {
    id: 'urine-german',
    testType: 'urine',
    ...european,
    rows: germanUrineRows,
    draw: germanTable('Urinstatus', {}, [
      column('Untersuchung', 50, 170, name),
      column('Ergebnis', 230, 80, value),
      column('Referenzbereich', 330, 120, range),
    ]),
  },
  {
    id: 'blood-and-urine',
    rows: [...rowsFor(us, 18, random(28)), ...stripRows(strips)],
    draw: usTable('Mixed Example Laboratory', { hasSections: true }, basic),
  },
];
