/**
 * A few markers for the reading tests, with only the names, units and limits that the tests need; no medical
 * content.
 */
import { type Book, createBook } from '#plugins/biomarkers/book.ts';
import type { Marker, Specimen } from '#plugins/biomarkers/marker.ts';

const quantity = (
  slug: string,
  names: string,
  units: string,
  limits: readonly [number, number],
  specimen: Specimen = 'blood',
): Marker => {
  const all = units.split(' ').map((unit) => {
    const [ucum = '', factor = '1'] = unit.split('=');
    return { ucum, factor: Number(factor) };
  });
  return {
    slug,
    name: names.split('|')[0]!,
    names: names.split('|'),
    category: 'test',
    specimen,
    kind: 'quantity',
    ucum: all[0]!.ucum,
    units: all,
    digits: 1,
    loinc: [],
    scale: [],
    plausible: { low: limits[0], high: limits[1] },
    critical: null,
    ranges: [],
  };
};

const ordinal = (slug: string, names: string): Marker => ({
  ...quantity(slug, names, '1', [0, 1], 'urine'),
  kind: 'ordinal',
  ucum: '',
  units: [],
  plausible: null,
  scale: ['negative', 'trace', '1+', '2+', '3+', '4+'],
});

const markers: readonly Marker[] = [
  quantity('hemoglobin', 'Hemoglobin|Haemoglobin|Hämoglobin|Hémoglobine|Hb|HGB', 'g/dL g/L=0.1 mmol/L=1.611', [2, 25]),
  quantity(
    'white-blood-cells',
    'White blood cell count|WBC|White Blood Cells|Leukozyten|Leucocytes|Leucocitos',
    '10*3/uL 10*9/L=1 /uL=0.001',
    [0.1, 400],
  ),
  quantity('red-blood-cells', 'Red blood cell count|RBC|Erythrozyten|Hématies', '10*6/uL 10*12/L=1', [0.5, 10]),
  quantity('hematocrit', 'Hematocrit|Hämatokrit|HCT', '% L/L=100', [5, 75]),
  quantity('platelets', 'Platelets|PLT|Thrombozyten|Plaquettes', '10*3/uL 10*9/L=1 /uL=0.001', [1, 2000]),
  quantity('neutrophils', 'Neutrophils', '10*3/uL 10*9/L=1', [0, 100]),
  quantity('neutrophils-percent', 'Neutrophils|Neutrophils %', '%', [0, 100]),
  quantity('glucose', 'Glucose|Glukose|Glycémie|Glucosa', 'mg/dL mmol/L=18.016', [10, 1500]),
  quantity('urine-glucose-quantity', 'Urine glucose', 'mg/dL mmol/L=18.016', [0, 5000], 'urine'),
  quantity(
    'total-cholesterol',
    'Total cholesterol|Cholesterol|Cholesterol, Total|Cholesterin|Gesamtcholesterin|Cholestérol total',
    'mg/dL mmol/L=38.67',
    [20, 1000],
  ),
  quantity('hdl-cholesterol', 'HDL cholesterol|HDL|HDL-C|HDL-Cholesterin', 'mg/dL mmol/L=38.67', [3, 200]),
  quantity('ldl-cholesterol', 'LDL cholesterol|LDL|LDL-C|LDL-Cholesterin', 'mg/dL mmol/L=38.67', [5, 800]),
  quantity('triglycerides', 'Triglycerides|Triglyceride|Triglycérides', 'mg/dL mmol/L=88.57', [10, 5000]),
  quantity('creatinine', 'Creatinine|Kreatinin|Créatinine', 'mg/dL umol/L=0.01131', [0.1, 30]),
  quantity('egfr', 'eGFR|Estimated GFR|GFR', 'mL/min/{1.73_m2}', [1, 200]),
  quantity('sodium', 'Sodium|Natrium', 'mmol/L meq/L=1', [90, 190]),
  quantity('potassium', 'Potassium|Kalium', 'mmol/L meq/L=1', [1, 10]),
  quantity('calcium', 'Calcium|Kalzium|Ca', 'mg/dL mmol/L=4.008', [2, 20]),
  quantity('tsh', 'TSH|Thyroid stimulating hormone|Thyrotropin', 'm[IU]/L u[IU]/mL=1', [0.001, 200]),
  quantity('free-t4', 'Free T4|T4 free|fT4|T4, Free', 'ng/dL pmol/L=0.0777', [0.05, 10]),
  quantity('ferritin', 'Ferritin|Ferritine', 'ng/mL ug/L=1', [0.5, 20000]),
  quantity('vitamin-b12', 'Vitamin B12|B12', 'pg/mL pmol/L=1.355', [30, 10000]),
  quantity(
    'vitamin-d',
    '25-Hydroxyvitamin D|Vitamin D, 25-Hydroxy|Vitamin D 25-OH|25-OH Vitamin D|Vitamin D',
    'ng/mL nmol/L=0.4',
    [1, 300],
  ),
  quantity('hba1c', 'Hemoglobin A1c|HbA1c|A1c', '% mmol/mol=0.0915', [2, 20]),
  quantity('crp', 'C-reactive protein|CRP', 'mg/L mg/dL=10', [0, 600]),
  quantity('troponin', 'Troponin T|Troponin', 'ng/mL ng/L=0.001', [0, 100]),
  quantity('ca-125', 'CA 125', 'U/mL', [0, 10000]),
  quantity('ca-19-9', 'CA 19-9', 'U/mL', [0, 100000]),
  quantity('alt', 'ALT|Alanine aminotransferase|GPT|ALAT', 'U/L', [1, 20000]),
  ordinal('urine-glucose', 'Glucose|Urine glucose|Glukose'),
  ordinal('urine-protein', 'Protein|Eiweiß'),
  ordinal('urine-ketones', 'Ketones|Ketone'),
  ordinal('urine-nitrite', 'Nitrite|Nitrit'),
  ordinal('urine-leukocytes', 'Leukocyte esterase|Leukocytes|Leukozyten'),
  quantity('urine-ph', 'pH|Urine pH', '[pH]', [4, 10], 'urine'),
];

export const smallBook = (): Book => createBook(markers);
