/** The made-up reports: each a layout that laboratories use, with plainly invented people and laboratories. */
import {
  bytesOf,
  type Column,
  condensed,
  courier,
  dejavu,
  drawTable,
  type Fonts,
  helvetica,
  newDocument,
  type Page,
  type Sheet,
  type Table,
  times,
  write,
} from './drawing.ts';
import { rowsFor, type SpecimenRow, type Style, seeded } from './specimen.ts';

export interface Specimen {
  readonly id: string;
  readonly testType: 'blood' | 'urine';
  readonly rows: readonly SpecimenRow[];
  readonly collectedAt: string | null;
  readonly pdf: Buffer;
}

interface Plan {
  readonly id: string;
  readonly testType?: 'blood' | 'urine';
  readonly collectedAt?: string | null;
  readonly rows: readonly SpecimenRow[];
  readonly draw: (document: Page, rows: readonly SpecimenRow[]) => void;
  readonly size?: 'LETTER' | 'A4';
}

const us: Style = { language: 'us', units: 'usual', decimal: '.', dash: '-' };
const uk: Style = { language: 'uk', units: 'si', decimal: '.', dash: ' - ' };
const de: Style = {
  language: 'de',
  units: 'usual',
  decimal: ',',
  dash: ' - ',
  unitText: ({ text }) =>
    text
      .replace('Thousand/uL', 'Tsd./µl')
      .replace('Million/uL', 'Mio./µl')
      .replace('x10E3/uL', '/nl')
      .replace('mcg', 'µg')
      .replace(/L$/, 'l'),
};
const fr: Style = {
  language: 'fr',
  units: 'si',
  decimal: ',',
  dash: ' - ',
  unitText: ({ text }) => text.replace('10^9/L', 'G/L').replace('10^12/L', 'T/L'),
};

const column = (head: string, x: number, width: number, text: Column['text'], rest: Partial<Column> = {}): Column => ({
  head,
  x,
  width,
  text,
  ...rest,
});
const name = (row: SpecimenRow): string => row.name;
const value = (row: SpecimenRow): string => row.valueText;
const unit = (row: SpecimenRow): string => row.unit;
const range = (row: SpecimenRow): string => row.range;
const flag = (row: SpecimenRow): string => row.flag;
const high = (row: SpecimenRow): string => ({ H: 'High', L: 'Low', '': '' })[row.flag];
const none = (): string => '';

const usHead = (document: Page, fonts: Fonts, lab: string): void => {
  document.font(fonts.bold).fontSize(15);
  write(document, lab, 40, 34);
  document.font(fonts.plain).fontSize(9);
  write(document, 'Patient: SPECIMEN, ALEX', 40, 62);
  write(document, 'DOB: 04/17/1980   AGE: 46   SEX: F', 40, 75);
  write(document, 'Phone: 555-0100', 40, 88);
  write(document, 'Specimen: QZ123456A', 240, 62);
  write(document, 'Collected: 03/25/2026 / 08:15 EDT', 240, 75);
  write(document, 'Received: 03/25/2026 / 22:40 EDT', 240, 88);
  write(document, 'Reported: 03/27/2026 / 06:12 EDT', 240, 101);
  write(document, 'Ordering: Dr. Invented Person', 440, 62);
  write(document, 'Account: 00012345', 440, 75);
};

const sheetOf = (document: Page, fonts: Fonts, bottom = 720): Sheet => ({
  document,
  fonts,
  bottom,
  nextPage: () => {
    document.font(fonts.plain).fontSize(8);
    write(document, 'Patient: SPECIMEN, ALEX   continued', 40, 30);
    return 60;
  },
});

const simple = (columns: readonly Column[], rest: Partial<Table> = {}): Table => ({
  columns,
  rowHeight: 16,
  hasHead: true,
  hasSections: false,
  borders: 'none',
  y: 140,
  ...rest,
});

const usTable =
  (fonts: Fonts, lab: string, table: Table) =>
  (document: Page, rows: readonly SpecimenRow[]): void => {
    usHead(document, fonts, lab);
    const end = drawTable(sheetOf(document, fonts), table, rows);
    document.font(fonts.plain).fontSize(8);
    write(
      document,
      'Made-up specimen for testing. Page 1 of 1. Lab Director: Invented Person, MD',
      40,
      Math.min(760, end + 14),
    );
  };

const split = (row: SpecimenRow, isIn: boolean): string =>
  (row.flag === '') === isIn ? `${row.valueText}${row.flag ? ` ${row.flag}` : ''}` : '';

const german =
  (fonts: Fonts, table: Table, title: string) =>
  (document: Page, rows: readonly SpecimenRow[]): void => {
    document.font(fonts.bold).fontSize(14);
    write(document, 'MVZ Labor Musterstadt (erfunden)', 50, 34);
    document.font(fonts.plain).fontSize(9);
    write(document, 'Patientin: Muster, Erika    geb.: 17.04.1980    Geschlecht: weiblich', 50, 60);
    write(document, 'Entnahme: 05.03.2026 08:15    Eingang: 05.03.2026    Befunddatum: 06.03.2026', 50, 74);
    write(document, 'Auftragsnr.: 4711-0815    Einsender: Praxis Dr. Erfunden', 50, 88);
    document.font(fonts.bold).fontSize(12);
    write(document, title, 50, 108);
    drawTable({ ...sheetOf(document, fonts, 760), nextPage: () => 60 }, table, rows);
  };

/** German flags stand as signs behind the number. */
const sign = (row: SpecimenRow): string => ({ H: '+', L: '-', '': '' })[row.flag];

const french =
  (table: Table, leaders: boolean) =>
  (document: Page, rows: readonly SpecimenRow[]): void => {
    document.font('Times-Bold').fontSize(15);
    write(document, 'Laboratoire de biologie médicale Fictif', 50, 34);
    document.font('Times-Roman').fontSize(10);
    write(document, 'Nom : MODELE Camille    Née le 17/04/1980    Sexe : F', 50, 60);
    write(document, 'Prélèvement du 05/03/2026 à 08h15    Édité le 06/03/2026', 50, 75);
    document.font('Times-Bold').fontSize(11);
    if (!leaders) write(document, 'BIOCHIMIE', 50, 105);
    drawTable({ ...sheetOf(document, times, 770), nextPage: () => 60 }, table, rows);
  };

const dotted = (document: Page, rows: readonly SpecimenRow[]): void => {
  french({ ...simple([]), columns: [column('', 50, 1, none)], hasHead: false }, true)(document, []);
  let y = 120;
  document.font('Courier').fontSize(9);
  for (const row of rows) {
    const dots = '.'.repeat(Math.max(3, 38 - row.name.length));
    write(document, `${row.name} ${dots} ${row.valueText.padStart(7)} ${row.unit.padEnd(10)} (${row.range})`, 50, y);
    y += 15;
  }
};

const nhs = (document: Page, rows: readonly SpecimenRow[]): void => {
  document.font('Helvetica-Bold').fontSize(14);
  write(document, 'Sample Pathology Service NHS Trust (invented)', 50, 36);
  document.font('Helvetica').fontSize(9.5);
  write(document, 'Name: Sample Person    NHS No: 000 000 0000    DOB: 17-Apr-1980    Sex: Male', 50, 62);
  write(document, 'Specimen collected: 05-Mar-2026 08:15    Report issued: 06-Mar-2026', 50, 77);
  let y = 108;
  let section = '';
  for (const row of rows) {
    if (row.section !== section) {
      section = row.section;
      document.font('Helvetica-Bold').fontSize(10);
      write(document, section, 50, y + 4);
      y += 19;
    }
    document.font('Helvetica').fontSize(9.5);
    write(
      document,
      `Serum ${row.name.toLowerCase().replace('hdl', 'HDL')} level`.replace(/Serum (.*)( level)/, (_, inner: string) =>
        row.section.startsWith('Complete') ? row.name : `Serum ${inner} level`,
      ),
      50,
      y,
    );
    write(document, `${row.valueText} ${row.unit}`, 290, y);
    write(document, `[${row.range}]`, 400, y);
    if (row.flag) write(document, row.flag === 'H' ? 'Above range' : 'Below range', 480, y);
    y += 15;
  }
};

const running = (document: Page, rows: readonly SpecimenRow[]): void => {
  usHead(document, helvetica, 'Northfield Example Laboratory');
  let y = 140;
  document.font('Helvetica').fontSize(10);
  for (const row of rows) {
    write(
      document,
      `${row.name}: ${row.valueText} ${row.unit} (ref ${row.range})${row.flag ? ` ${row.flag}` : ''}`.replace(
        '(ref ',
        '(',
      ),
      40,
      y,
    );
    y += 16;
  }
};

const mono = (document: Page, rows: readonly SpecimenRow[]): void => {
  document.font('Courier-Bold').fontSize(11);
  write(document, 'EXAMPLE COUNTY HOSPITAL LABORATORY', 40, 34);
  document.font('Courier').fontSize(9);
  write(document, 'PATIENT: SPECIMEN,ALEX   SEX: M   DOB: 04/17/1980', 40, 56);
  write(document, 'COLLECTED: 03/25/2026 0815   REPORTED: 03/26/2026 1012', 40, 68);
  write(
    document,
    `${'TEST'.padEnd(34)}${'RESULT'.padStart(9)}  ${'FLAG'.padEnd(5)}${'UNITS'.padEnd(16)}REFERENCE`,
    40,
    96,
  );
  write(document, '-'.repeat(88), 40, 106);
  let y = 118;
  for (const row of rows) {
    write(
      document,
      `${row.name.padEnd(34)}${row.valueText.padStart(9)}  ${row.flag.padEnd(5)}${row.unit.padEnd(16)}${row.range}`,
      40,
      y,
    );
    y += 12;
  }
};

const twoColumns = (document: Page, rows: readonly SpecimenRow[]): void => {
  usHead(document, helvetica, 'Twin Table Diagnostics (invented)');
  const half = Math.ceil(rows.length / 2);
  const own = (x: number): Table =>
    simple(
      [
        column('Test', x, 104, name),
        column('Result', x + 106, 36, value, { align: 'right' }),
        column('Units', x + 150, 62, unit),
        column('Range', x + 212, 52, range),
      ],
      { rowHeight: 15 },
    );
  const small = { ...helvetica, size: 7.5 };
  const widest = (list: readonly SpecimenRow[]): readonly SpecimenRow[] => list;
  drawTable(sheetOf(document, small), own(30), widest(rows.slice(0, half)));
  drawTable(sheetOf(document, small), own(312), widest(rows.slice(half)));
};

/** Powers printed small and raised. */
const raised = (document: Page, rows: readonly SpecimenRow[]): void => {
  usHead(document, helvetica, 'Superscript Example Labs');
  let y = 140;
  document.font('Helvetica-Bold').fontSize(10);
  for (const [head, x] of [
    ['Component', 40],
    ['Value', 260],
    ['Unit', 320],
    ['Standard Range', 420],
  ] as const)
    write(document, head, x, y);
  for (const row of rows) {
    y += 17;
    document.font('Helvetica').fontSize(10);
    write(document, row.name, 40, y);
    write(document, `${row.valueText}${row.flag ? ` ${row.flag}` : ''}`, 260, y);
    const power = /^10\^(\d+)(.*)$/.exec(row.unit);
    if (power) {
      write(document, '10', 320, y);
      document.fontSize(6.5);
      write(document, power[1]!, 331.5, y - 2);
      document.fontSize(10);
      write(document, power[2]!, 331.5 + power[1]!.length * 3.7, y);
    } else write(document, row.unit, 320, y);
    write(document, row.range, 420, y);
  }
};

const strips = `urine-glucose;Glucose;Negative;Negative|urine-protein;Protein;Trace;Negative|urine-ketones;Ketones;1+;Negative|urine-blood;Blood;Negative;Negative|urine-nitrite;Nitrite;Negative;Negative|urine-leukocyte-esterase;Leukocyte esterase;2+;Negative|urine-bilirubin;Bilirubin;Negative;Negative`;
const germanStrips = `urine-glucose;Glukose;negativ;negativ|urine-protein;Eiweiß;(+);negativ|urine-ketones;Ketone;negativ;negativ|urine-nitrite;Nitrit;positiv;negativ|urine-leukocyte-esterase;Leukozyten;++;negativ|urine-bilirubin;Bilirubin;negativ;negativ`;

const stripRows = (list: string): SpecimenRow[] =>
  list.split('|').map((line) => {
    const [slug, text, result, expected] = line.split(';') as [string, string, string, string];
    return {
      section: 'Urinalysis',
      slug,
      name: text,
      valueText: result,
      value: null,
      comparator: '=',
      unit: '',
      ucum: '',
      range: expected,
      flag: '',
      previous: '',
    };
  });

const urineNumbers = (decimal: string): SpecimenRow[] => [
  {
    section: 'Urinalysis',
    slug: 'urine-ph',
    name: 'pH',
    valueText: `6${decimal}5`,
    value: 6.5,
    comparator: '=',
    unit: '',
    ucum: '',
    range: `5${decimal}0-8${decimal}0`,
    flag: '',
    previous: '',
  },
  {
    section: 'Urinalysis',
    slug: 'urine-specific-gravity',
    name: decimal === '.' ? 'Specific gravity' : 'Spezifisches Gewicht',
    valueText: `1${decimal}018`,
    value: 1.018,
    comparator: '=',
    unit: '',
    ucum: '',
    range: `1${decimal}005-1${decimal}030`,
    flag: '',
    previous: '',
  },
];

const indian: Readonly<Record<string, string>> = {
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

const indianRows = (seed: number): SpecimenRow[] =>
  rowsFor({ ...us, dash: ' - ' }, 66, random(seed)).flatMap((row) => {
    const printedName = indian[row.slug];
    if (!printedName) return [];
    if (row.slug !== 'white-blood-cells' && row.slug !== 'platelets') return [{ ...row, name: printedName }];
    const absolute = Math.round(row.value! * 1000);
    const ends = row.slug === 'platelets' ? '140000 - 400000' : '3800 - 10800';
    return [
      {
        ...row,
        name: printedName,
        value: absolute,
        valueText: String(absolute),
        unit: '/cumm',
        ucum: '/uL',
        range: ends,
      },
    ];
  });

const methods = (row: SpecimenRow): readonly string[] => (row.section.startsWith('Comp') ? ['Method: Photometry'] : []);

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

const basic = (x: number, wide = 190): Column[] => [
  column('Test', x, wide, name),
  column('Result', x + wide + 10, 55, value),
  column('Units', x + wide + 75, 85, unit),
  column('Reference Range', x + wide + 170, 95, range),
  column('Flag', x + wide + 275, 30, flag),
];

/** `--seed`: the same layouts with other values and rows. */
let base = 1000;
const random = (seed: number) => seeded(base + seed);

const cumulative: readonly Column[] = [
  column('Test', 40, 150, name),
  column('Units', 195, 90, unit),
  column('03/25/2026', 290, 60, (row) => `${row.valueText}${row.flag ? ` ${row.flag}` : ''}`),
  column('09/14/2025', 360, 60, (row) => row.previous),
  column('Reference Range', 450, 100, range),
];

const plans = (): Plan[] => [
  {
    id: 'box-table',
    rows: rowsFor(us, 16, random(1)),
    draw: usTable(condensed, 'Meadow Example Labs', simple(basic(40), { borders: 'boxes', rowHeight: 18 })),
  },
  {
    id: 'quest-like',
    rows: rowsFor({ ...us, oneSided: 0.3 }, 34, random(2)),
    draw: usTable(
      helvetica,
      'Quarry Diagnostics (invented)',
      simple(
        [
          column('Test Name', 40, 190, name),
          column('In Range', 240, 60, (row) => split(row, true)),
          column('Out Of Range', 310, 70, (row) => split(row, false), { isBold: () => true }),
          column('Reference Range', 390, 140, (row) => `${row.range} ${row.unit}`),
          column('Lab', 550, 30, () => 'EN'),
        ],
        { hasSections: true, rowHeight: 14 },
      ),
    ),
  },
  {
    id: 'labcorp-like',
    rows: rowsFor(us, 30, random(3)),
    draw: usTable(
      courier,
      'LabCopy Example Corp',
      simple(
        [
          column('TESTS', 30, 200, name),
          column('RESULT', 240, 50, value, { align: 'right' }),
          column('FLAG', 300, 40, high),
          column('UNITS', 345, 110, unit),
          column('REFERENCE INTERVAL', 455, 110, range),
          column('LAB', 570, 20, () => '01'),
        ],
        { hasSections: true, rowHeight: 14 },
      ),
    ),
  },
  {
    id: 'labcorp-new',
    rows: rowsFor(us, 24, random(4)),
    draw: usTable(
      helvetica,
      'LabCopy Example Corp',
      simple(
        [
          column('Test', 30, 170, (row) => `${row.name} 01`),
          column('Current Result and Flag', 222, 98, (row) => `${row.valueText}  ${high(row)}`),
          column('Previous Result and Date', 322, 106, (row) => `${row.previous}   09/14/2025`),
          column('Units', 430, 80, unit),
          column('Reference Interval', 510, 90, range),
        ],
        { borders: 'stripes', rowHeight: 17 },
      ),
    ),
  },
  {
    id: 'nhs-like',
    size: 'A4',
    collectedAt: '2026-03-05',
    rows: rowsFor(uk, 28, random(5)).filter(
      (row) =>
        !/HbA1c|Total white|antibod|Apolipo|Lipoprotein|ESR|GT|HDL chol|SHBG|PSA|DHEA|^Free|25-hy|High sens|C-react|TSH|FSH|LH|TIBC|eGFR|LDL|ALT|AST|LDH|Vitamin/.test(
          row.name,
        ),
    ),
    draw: nhs,
  },
  {
    id: 'german',
    size: 'A4',
    collectedAt: '2026-03-05',
    rows: rowsFor(de, 30, random(6)),
    draw: german(
      helvetica,
      simple(
        [
          column('Untersuchung', 50, 170, name),
          column('Ergebnis', 225, 60, (row) => `${row.valueText} ${sign(row)}`, { align: 'right' }),
          column('Einheit', 305, 80, unit),
          column('Referenzbereich', 395, 120, range),
        ],
        { y: 135 },
      ),
      'Laborbefund',
    ),
  },
  {
    id: 'german-vorwert',
    size: 'A4',
    collectedAt: '2026-03-05',
    rows: rowsFor(de, 26, random(7)),
    draw: german(
      dejavu,
      simple(
        [
          column('Analyse', 50, 150, name),
          column('Wert', 205, 45, value, { align: 'right' }),
          column('', 252, 15, sign),
          column('Einheit', 275, 75, unit),
          column('Referenzbereich', 355, 90, range),
          column('Vorwert', 460, 60, (row) => row.previous),
        ],
        { y: 135, borders: 'lines', hasSections: true },
      ),
      'Endbefund',
    ),
  },
  {
    id: 'german-bare',
    size: 'A4',
    collectedAt: '2026-03-05',
    rows: rowsFor(de, 22, random(8)),
    draw: german(
      times,
      simple(
        [
          column('', 50, 180, name),
          column('', 240, 50, value, { align: 'right' }),
          column('', 300, 70, unit),
          column('', 380, 120, (row) => `[${row.range}]`),
          column('', 510, 20, sign),
        ],
        { y: 135, hasHead: false },
      ),
      'Laborwerte',
    ),
  },
  {
    id: 'french',
    size: 'A4',
    collectedAt: '2026-03-05',
    rows: rowsFor(fr, 26, random(9)).filter((row) => row.name !== 'Coefficient de saturation'),
    draw: french(
      simple(
        [
          column('Analyse', 50, 180, name),
          column('Résultat', 240, 60, value),
          column('Unités', 310, 70, unit),
          column('Valeurs de référence', 390, 90, range),
          column('Antériorités', 490, 60, (row) => row.previous),
        ],
        { y: 125 },
      ),
      false,
    ),
  },
  {
    id: 'french-dotted',
    size: 'A4',
    collectedAt: '2026-03-05',
    rows: rowsFor(fr, 24, random(10)).filter((row) => row.name !== 'Coefficient de saturation'),
    draw: dotted,
  },
  {
    id: 'spanish',
    size: 'A4',
    rows: rowsFor(
      {
        ...us,
        decimal: ',',
        dash: ' - ',
        nameText: (text) =>
          ({
            GLUCOSE: 'Glucosa',
            CREATININE: 'Creatinina',
            SODIUM: 'Sodio',
            POTASSIUM: 'Potasio',
            CALCIUM: 'Calcio',
            'CHOLESTEROL, TOTAL': 'Colesterol total',
            TRIGLYCERIDES: 'Triglicéridos',
            FERRITIN: 'Ferritina',
            HEMOGLOBIN: 'Hemoglobina',
            HEMATOCRIT: 'Hematocrito',
            ALBUMIN: 'Albúmina',
            'URIC ACID': 'Ácido úrico',
          })[text] ?? text,
      },
      66,
      random(11),
    ).filter((row) => /^[A-ZÁ][a-zí]/.test(row.name) && !/^HS|^DHEA/.test(row.name)),
    collectedAt: '2026-03-25',
    draw: (document, rows) => {
      document.font('Helvetica-Bold').fontSize(14);
      write(document, 'Laboratorio Clínico Inventado', 50, 34);
      document.font('Helvetica').fontSize(9);
      write(document, 'Paciente: EJEMPLO, ANA   Sexo: Mujer   Fecha de nacimiento: 17/04/1980', 50, 60);
      write(document, 'Fecha de extracción: 25/03/2026   Fecha de informe: 26/03/2026', 50, 74);
      drawTable(
        sheetOf(document, helvetica),
        simple(
          [
            column('Prueba', 50, 170, name),
            column('Resultado', 230, 60, value),
            column('Unidades', 300, 90, unit),
            column('Valores de referencia', 400, 120, range),
          ],
          { y: 110 },
        ),
        rows,
      );
    },
  },
  {
    id: 'no-head',
    rows: rowsFor(us, 26, random(12)),
    draw: usTable(
      helvetica,
      'Headless Example Laboratory',
      simple(
        [
          column('', 40, 190, name),
          column('', 240, 45, value, { align: 'right' }),
          column('', 292, 20, flag),
          column('', 320, 90, unit),
          column('', 430, 100, range),
        ],
        { hasHead: false },
      ),
    ),
  },
  { id: 'running-lines', rows: rowsFor(us, 22, random(13)), draw: running },
  { id: 'monospace', rows: rowsFor({ ...us, bounds: 0.15 }, 40, random(14)), draw: mono },
  { id: 'two-columns', rows: rowsFor(us, 40, random(15)), draw: twoColumns },
  {
    id: 'wrapped',
    rows: rowsFor(us, 24, random(16)),
    draw: usTable(
      helvetica,
      'Narrow Column Health Labs',
      simple(
        [
          column('Test', 40, 88, name),
          column('Result', 150, 55, value),
          column('Units', 215, 85, unit),
          column('Reference Range', 310, 95, range),
          column('Flag', 415, 30, flag),
        ],
        { rowHeight: 24, borders: 'lines' },
      ),
    ),
  },
  {
    id: 'cumulative',
    rows: rowsFor(us, 24, random(17)),
    draw: usTable(helvetica, 'Serial Example Laboratory', simple(cumulative, { borders: 'lines' })),
  },
  {
    id: 'range-first',
    rows: rowsFor(us, 20, random(18)),
    draw: usTable(
      times,
      'Backwards Example Laboratory',
      simple([
        column('Analyte', 40, 190, name),
        column('Reference', 240, 90, range),
        column('Unit', 340, 90, unit),
        column('Result', 440, 60, value, { align: 'right' }),
        column('', 510, 20, flag),
      ]),
    ),
  },
  {
    id: 'unit-in-name',
    rows: rowsFor(us, 22, random(19)),
    draw: usTable(
      helvetica,
      'Bracket Example Laboratory',
      simple([
        column('Test', 40, 250, (row) => `${row.name} (${row.unit})`),
        column('Result', 300, 50, value),
        column('Normal Range', 370, 100, range),
        column('Flag', 480, 30, flag),
      ]),
    ),
  },
  {
    id: 'indian',
    rows: indianRows(20),
    draw: usTable(
      helvetica,
      'Exemplar Pathology Lab (invented)',
      simple(
        [
          column('TEST NAME', 40, 190, name),
          column('VALUE', 240, 55, value),
          column('UNIT', 310, 90, unit),
          column('BIO. REF. INTERVAL', 410, 130, range),
        ],
        { note: methods, rowHeight: 15 },
      ),
    ),
  },
  {
    id: 'flag-first',
    rows: rowsFor(us, 20, random(21)),
    draw: usTable(
      helvetica,
      'Flagship Example Labs',
      simple([
        column('Flag', 40, 30, flag),
        column('Test', 80, 190, name),
        column('Value', 280, 50, value),
        column('Units', 340, 90, unit),
        column('Normal', 440, 90, range),
      ]),
    ),
  },
  { id: 'superscripts', rows: rowsFor({ ...us, units: 'si' }, 26, random(22)), draw: raised },
  {
    id: 'si-units',
    rows: rowsFor({ ...uk, dash: '-' }, 30, random(23)).filter((row) => row.name !== 'Total white cell count'),
    draw: usTable(helvetica, 'Metric Example Laboratory', simple(basic(40), { borders: 'stripes' })),
  },
  {
    id: 'bounds',
    rows: rowsFor({ ...us, bounds: 0.6, oneSided: 0.4 }, 20, random(24)),
    draw: usTable(helvetica, 'Boundary Example Laboratory', simple(basic(40))),
  },
  {
    id: 'bounds-no-head',
    rows: rowsFor({ ...us, bounds: 0.5, oneSided: 0.4 }, 20, random(25)),
    draw: usTable(helvetica, 'Boundary Example Laboratory', simple(basic(40), { hasHead: false })),
  },
  {
    id: 'interpreted',
    rows: rowsFor(us, 40, random(26)),
    draw: usTable(helvetica, 'Verbose Example Laboratory', simple(basic(40), { note: interpretation, rowHeight: 14 })),
  },
  {
    id: 'star-flags',
    rows: rowsFor(us, 18, random(27)),
    draw: usTable(
      condensed,
      'Starry Example Laboratory',
      simple([
        column('Investigation', 40, 190, name),
        column('Result', 240, 70, (row) => `${row.valueText}${row.flag ? '*' : ''}`),
        column('Unit', 320, 90, unit),
        column('Reference', 420, 100, (row) => `(${row.range})`),
      ]),
    ),
  },
  {
    id: 'urine-strip',
    testType: 'urine',
    rows: [...stripRows(strips), ...urineNumbers('.')],
    draw: usTable(
      helvetica,
      'Dipper Example Laboratory',
      simple([
        column('URINALYSIS', 40, 180, name),
        column('Result', 240, 80, value),
        column('Reference Range', 340, 100, range),
      ]),
    ),
  },
  {
    id: 'urine-german',
    testType: 'urine',
    size: 'A4',
    collectedAt: '2026-03-05',
    rows: [...stripRows(germanStrips), ...urineNumbers(',')],
    draw: german(
      helvetica,
      simple(
        [
          column('Untersuchung', 50, 170, name),
          column('Ergebnis', 230, 80, value),
          column('Referenzbereich', 330, 120, range),
        ],
        { y: 135 },
      ),
      'Urinstatus',
    ),
  },
  {
    id: 'blood-and-urine',
    rows: [...rowsFor(us, 18, random(28)), ...stripRows(strips)],
    draw: usTable(helvetica, 'Mixed Example Laboratory', simple(basic(40), { hasSections: true })),
  },
  {
    id: 'long',
    rows: [...rowsFor(us, 66, random(29)), ...rowsFor(us, 66, random(30))],
    draw: usTable(helvetica, 'Endless Example Laboratory', simple(basic(40), { hasSections: true, rowHeight: 15 })),
  },
  {
    id: 'long-german',
    size: 'A4',
    collectedAt: '2026-03-05',
    rows: rowsFor(de, 66, random(31)),
    draw: german(
      helvetica,
      simple(
        [
          column('Untersuchung', 50, 170, name),
          column('Ergebnis', 225, 60, (row) => `${row.valueText} ${sign(row)}`),
          column('Einheit', 305, 80, unit),
          column('Norm', 395, 120, range),
        ],
        { y: 135, hasSections: true },
      ),
      'Laborbefund',
    ),
  },
  {
    id: 'two-reports',
    collectedAt: null,
    rows: [...rowsFor(us, 10, random(32)), ...rowsFor(us, 10, random(33))],
    draw: (document, rows) => {
      usTable(helvetica, 'First Example Laboratory', simple(basic(40)))(document, rows.slice(0, 10));
      document.addPage();
      document.font('Helvetica-Bold').fontSize(15);
      write(document, 'Second Example Laboratory', 40, 34);
      document.font('Helvetica').fontSize(9);
      write(document, 'Patient: OTHER, ROBIN   DOB: 11/30/1971   Sex: M', 40, 62);
      write(document, 'Collected: 01/14/2026   Reported: 01/15/2026', 40, 75);
      drawTable(sheetOf(document, helvetica), simple(basic(40)), rows.slice(10));
    },
  },
  {
    id: 'tight',
    rows: rowsFor(us, 30, random(34)),
    draw: usTable(
      { ...helvetica, size: 8 },
      'Tight Example Laboratory',
      simple(
        [
          column('Test', 40, 150, name),
          column('Result', 192, 32, value, { align: 'right' }),
          column('Units', 228, 70, unit),
          column('Range', 300, 60, range),
          column('Flag', 362, 20, flag),
        ],
        { rowHeight: 11 },
      ),
    ),
  },
  {
    id: 'serif-boxes',
    size: 'A4',
    rows: rowsFor(us, 22, random(35)),
    draw: usTable(times, 'Serif Example Clinic', simple(basic(40), { borders: 'boxes', rowHeight: 19 })),
  },
  {
    id: 'flags-in-value',
    rows: rowsFor(us, 24, random(36)),
    draw: usTable(
      dejavu,
      'Attached Example Laboratory',
      simple([
        column('Component', 40, 180, name),
        column('Your Value', 230, 80, (row) => `${row.valueText}${row.flag ? ` (${row.flag})` : ''} ${row.unit}`),
        column('Standard Range', 400, 140, (row) => `${row.range} ${row.unit}`),
      ]),
    ),
  },
];

export const makeReports = async (seed = 1000): Promise<Specimen[]> => {
  base = seed;
  const made: Specimen[] = [];
  for (const plan of plans()) {
    const document = newDocument(plan.size);
    const bytes = bytesOf(document);
    plan.draw(document, plan.rows);
    document.end();
    made.push({
      id: plan.id,
      testType: plan.testType ?? 'blood',
      rows: plan.rows,
      collectedAt: plan.collectedAt === undefined ? '2026-03-25' : plan.collectedAt,
      pdf: await bytes,
    });
  }
  return made;
};
