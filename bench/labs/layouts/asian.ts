/** Defines a synthetic Indian report: older names, whole counts per cubic millimetre, the method below each row. */
import { rowsFor, type SpecimenRow } from '../specimen.ts';
import { column, name, type Plan, type RandomOf, range, unit, us, usTable, value } from './parts.ts';

const indianNames: Readonly<Record<string, string>> = {
  haemoglobin: 'Haemoglobin (Hb)',
  'white-blood-cells': 'Total Leucocyte Count (TLC)',
  'red-blood-cells': 'RBC Count',
  haematocrit: 'PCV',
  platelets: 'Platelet Count',
  glucose: 'Glucose Fasting',
  'blood-urea-nitrogen': 'Blood Urea Nitrogen (BUN)',
  creatinine: 'S. Creatinine',
  alt: 'SGPT (ALT)',
  ast: 'SGOT (AST)',
  alp: 'Alkaline Phosphatase (ALP)',
  'total-bilirubin': 'Bilirubin Total',
  'total-cholesterol': 'Total Cholesterol',
  'vitamin-b12': 'Vitamin B12',
  tsh: 'TSH (Thyroid Stimulating Hormone)',
};

const countRanges: Readonly<Record<string, string>> = {
  'white-blood-cells': '3800 - 10800',
  platelets: '140000 - 400000',
};

const indianRow = (row: SpecimenRow): SpecimenRow[] => {
  const printedName = indianNames[row.slug];
  if (!printedName) return [];
  const named = { ...row, name: printedName };
  const countRange = countRanges[row.slug];
  if (!countRange) return [named];
  const count = Math.round(row.value! * 1000);
  return [{ ...named, value: count, valueText: String(count), unit: '/cumm', ucum: '/uL', range: countRange }];
};

const method = (row: SpecimenRow): readonly string[] => (row.section.startsWith('Comp') ? ['Method: Photometry'] : []);

export const asianPlans = (random: RandomOf): Plan[] => [
  {
    id: 'indian',
    rows: rowsFor({ ...us, dash: ' - ' }, 66, random(20)).flatMap(indianRow),
    draw: usTable('Exemplar Pathology Lab (invented)', { note: method, rowHeight: 15 }, [
      column('TEST NAME', 40, 190, name),
      column('VALUE', 240, 55, value),
      column('UNIT', 310, 90, unit),
      column('BIO. REF. INTERVAL', 410, 130, range),
    ]),
  },
];
