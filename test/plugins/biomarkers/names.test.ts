import assert from 'node:assert/strict';
import type { Book, Hints } from '#plugins/biomarkers/book.ts';
import { readBook } from './shipped.ts';

describe('biomarker names', () => {
  let book: Book;
  before(async () => {
    book = await readBook();
  });
  const slugs = (text: string, hints?: Hints) => book.named(text, hints).map(({ marker }) => marker.slug);

  /** A printed name, the hints, and the one marker that matches; "" for no match. */
  const PRINTED: readonly (readonly [string, string, Hints?])[] = [
    ['Cholesterol, LDL', 'ldl-cholesterol'],
    ['LDL Cholesterol', 'ldl-cholesterol'],
    ['LDL-Cholesterin', 'ldl-cholesterol'],
    ['HDL', 'hdl-cholesterol'],
    ['HDL Cholesterol', 'hdl-cholesterol'],
    ['Non-HDL Cholesterol', 'non-hdl-cholesterol'],
    ['Cholesterol/HDL', 'cholesterol-hdl-ratio'],
    ['Cholesterol, Total', 'total-cholesterol'],
    ['VLDL Cholesterol', ''],
    ['LDL/HDL Ratio', ''],
    ['Hämoglobin', 'haemoglobin', { specimen: 'blood' }],
    ['HAEMOGLOBIN', 'haemoglobin', { specimen: 'blood' }],
    ['Hemoglobin A1c', 'hba1c', { ucum: '%' }],
    ['Hemoglobin A1c', 'hba1c-ifcc', { ucum: 'mmol/mol' }],
    ['Hemoglobin A2', ''],
    ['Hemoglobin S', ''],
    ['25-OH Vitamin D', 'vitamin-d'],
    ['Vitamin D, 25-Hydroxy', 'vitamin-d'],
    ['1,25-Dihydroxyvitamin D', 'vitamin-d-1-25'],
    ['Vitamin K', ''],
    ['Vitamin B12', 'vitamin-b12'],
    ['Vitamin B 12 (Serum)', 'vitamin-b12'],
    ['Vitamin B6', 'vitamin-b6'],
    ['Free T3', 'free-t3'],
    ['T3, Free', 'free-t3'],
    ['fT3', 'free-t3'],
    ['T3', 'total-t3'],
    ['T3, Total', 'total-t3'],
    ['Reverse T3', 'reverse-t3'],
    ['T3 Uptake', ''],
    ['Free T4', 'free-t4'],
    ['T4', 'total-t4'],
    ['ALT', 'alt'],
    ['ALT (SGPT)', 'alt'],
    ['GPT (ALAT)', 'alt'],
    ['GPT/ALAT', 'alt'],
    ['ALP', 'alp'],
    ['AST', 'ast'],
    ['ALT/AST', ''],
    ['Acid phosphatase', ''],
    ['Creatine kinase', 'creatine-kinase'],
    ['CK-MB', 'ck-mb'],
    ['Creatinine', 'creatinine', { specimen: 'blood' }],
    ['Creatine', ''],
    ['Creatinine clearance', ''],
    ['Neutrophils', 'neutrophils-percent', { ucum: '%' }],
    ['Neutrophils', 'neutrophils-absolute', { ucum: '10*3/uL' }],
    ['Neutrophils %', 'neutrophils-percent'],
    ['Neutrophils (Absolute)', 'neutrophils-absolute'],
    ['Glucose', 'glucose', { specimen: 'blood' }],
    ['Glucose, fasting', 'glucose', { specimen: 'blood' }],
    ['Glucose', 'urine-glucose', { specimen: 'urine' }],
    ['Glucose, Urine', 'urine-glucose', { specimen: 'blood' }],
    ['U-Glucose', 'urine-glucose'],
    ['fP-Glucose', 'glucose'],
    ['Iron', 'iron'],
    ['TIBC', 'tibc'],
    ['Iron Saturation', 'transferrin-saturation'],
    ['Transferrin', 'transferrin'],
    ['Ferritin', 'ferritin'],
    ['S-Ferritin', 'ferritin'],
    ['Bilirubin, Total', 'total-bilirubin'],
    ['Bilirubin direct', 'direct-bilirubin'],
    ['Bilirubin, indirect', 'indirect-bilirubin'],
    ['PT', 'prothrombin-time'],
    ['PTT', 'aptt'],
    ['INR', 'inr'],
    ['CRP', 'crp'],
    ['hs-CRP', 'hs-crp'],
    ['CRP, high sensitivity', 'hs-crp'],
    ['Calcium', 'calcium'],
    ['Calcium, ionized', 'ionised-calcium'],
    ['Albumin', 'albumin', { specimen: 'blood' }],
    ['Albumin, Urine', 'urine-albumin'],
    ['Microalbumin', 'urine-albumin'],
    ['Albumin/Creatinine Ratio', 'urine-albumin-creatinine-ratio'],
    ['Albumin/Globulin Ratio', 'albumin-globulin-ratio'],
    ['Testosterone', 'total-testosterone'],
    ['Testosterone, Free', 'free-testosterone'],
    ['Testosterone, bioavailable', ''],
    ['Troponin I', 'troponin-i'],
    ['Troponin T', 'troponin-t-hs'],
    ['Troponin', ''],
    ['BUN', 'blood-urea-nitrogen'],
    ['Urea', 'urea'],
    ['Harnstoff-N', 'blood-urea-nitrogen'],
    ['RDW', 'rdw'],
    ['RDW-SD', ''],
    ['MCH', 'mch'],
    ['MCHC', 'mchc'],
    ['IgG', 'igg'],
    ['IgG4', ''],
    ['BNP', 'bnp'],
    ['NT-proBNP', 'nt-probnp'],
    ['PSA', 'psa'],
    ['Free PSA %', 'free-psa-percent'],
    ['Insulin antibodies', ''],
    ['Homocystine', ''],
    ['Leukozyten (WBC)', 'white-blood-cells', { ucum: '10*9/L' }],
    ['Leukocytes', 'urine-white-cells', { specimen: 'urine', ucum: '/[HPF]' }],
    ['White blood cells', 'urine-white-cells', { specimen: 'urine' }],
    ['Kalium i.S.', 'potassium'],
    ['S. Creatinine', 'creatinine'],
    ['Alkaline Phosphatase, S', 'alp'],
    ['Vitamin D, 25-OH, D2', ''],
    ['Corrected Calcium', ''],
    ['Glucose, Random', ''],
    ['Glucose [Mass/volume] in Serum or Plasma', 'glucose'],
    ['Leukocytes [#/volume] in Blood', 'white-blood-cells'],
  ];

  it('match one marker or none, and never a marker with a similar name', () => {
    for (const [printed, slug, hints] of PRINTED)
      assert.deepEqual(slugs(printed, hints), slug ? [slug] : [], `${printed} ${JSON.stringify(hints ?? {})}`);
  });

  it('match several markers, blood markers first, when no hint separates them', () => {
    assert.deepEqual(slugs('Glucose'), ['glucose', 'urine-glucose']);
    assert.deepEqual(new Set(slugs('Neutrophils')), new Set(['neutrophils-absolute', 'neutrophils-percent']));
    assert.deepEqual(new Set(slugs('HbA1c')), new Set(['hba1c', 'hba1c-ifcc']));
  });

  it('match with lower certainty despite OCR errors and misspellings', () => {
    for (const [printed, slug] of [
      ['Ferritln', 'ferritin'],
      ['Hemog1obin', 'haemoglobin'],
      ['H0M0CYSTEINE', 'homocysteine'],
      ['HbAlc', 'hba1c'],
      ['Tnglycerides', ''],
      ['Triglycendes', ''],
      ['Triglicerides', 'triglycerides'],
    ] as const) {
      const [first] = book.named(printed, { specimen: 'blood', ucum: printed === 'HbAlc' ? '%' : null });
      assert.equal(first?.marker.slug ?? '', slug, printed);
      if (first) assert.ok(first.certainty < 1, printed);
    }
  });

  it('match their marker for every listed name, in any case and with punctuation or the specimen added', () => {
    for (const marker of book.markers)
      for (const name of marker.names)
        for (const printed of [name, name.toUpperCase(), ` ${name}: `, `${name} (${marker.specimen})`]) {
          const found = slugs(printed, { specimen: marker.specimen });
          assert.ok(found.includes(marker.slug), `${printed}: ${found.join(', ')} instead of ${marker.slug}`);
        }
  });

  it('match nothing when they are empty, too long or not a marker name', () => {
    for (const text of ['', ' ', '...', '/', '%', 'Patient name', 'x'.repeat(500), 'a b c '.repeat(40)])
      assert.deepEqual(slugs(text), [], text.slice(0, 20));
  });
});
