/** Defines synthetic British, German, French and Spanish reports. */
import { type Column, dejavu, drawTable, helvetica, type Page, times, write } from '../drawing.ts';
import { type Random, rowsFor, type SpecimenRow, type Style } from '../specimen.ts';
import {
  column,
  type Draw,
  type Look,
  name,
  type Plan,
  previous,
  type RandomOf,
  range,
  sheetOf,
  simple,
  uk,
  unit,
  us,
  value,
} from './parts.ts';

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

const spanishNames: Readonly<Record<string, string>> = {
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
};

const es: Style = { ...us, decimal: ',', dash: ' - ', nameText: (text) => spanishNames[text] ?? text };

/** Reports print the day before the month; an American reader would misread this date as the third of May. */
export const european = { size: 'A4', collectedAt: '2026-03-05' } as const;

const notNamedByNhs =
  /HbA1c|Total white|antibod|Apolipo|Lipoprotein|ESR|GT|HDL chol|SHBG|PSA|DHEA|^Free|25-hy|High sens|C-react|TSH|FSH|LH|TIBC|eGFR|LDL|ALT|AST|LDH|Vitamin/;

const nhs: Draw = (document, rows) => {
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
    const inSerum = `Serum ${row.name.toLowerCase().replace('hdl', 'HDL')} level`;
    write(document, section.startsWith('Complete') ? row.name : inSerum, 50, y);
    write(document, `${row.valueText} ${row.unit}`, 290, y);
    write(document, `[${row.range}]`, 400, y);
    if (row.flag) write(document, row.flag === 'H' ? 'Above range' : 'Below range', 480, y);
    y += 15;
  }
};

/** German reports print flags as signs after the number. */
const sign = (row: SpecimenRow): string => ({ H: '+', L: '-', '': '' })[row.flag];
const signed = (row: SpecimenRow): string => `${row.valueText} ${sign(row)}`;

export const germanTable =
  (title: string, { fonts = helvetica, ...look }: Look, columns: readonly Column[]): Draw =>
  (document, rows) => {
    document.font(fonts.bold).fontSize(14);
    write(document, 'MVZ Labor Musterstadt (erfunden)', 50, 34);
    document.font(fonts.plain).fontSize(9);
    write(document, 'Patientin: Muster, Erika    geb.: 17.04.1980    Geschlecht: weiblich', 50, 60);
    write(document, 'Entnahme: 05.03.2026 08:15    Eingang: 05.03.2026    Befunddatum: 06.03.2026', 50, 74);
    write(document, 'Auftragsnr.: 4711-0815    Einsender: Praxis Dr. Erfunden', 50, 88);
    document.font(fonts.bold).fontSize(12);
    write(document, title, 50, 108);
    drawTable({ document, fonts, bottom: 760, nextPage: () => 60 }, simple(columns, { y: 135, ...look }), rows);
  };

const frenchRows = (count: number, random: Random): SpecimenRow[] =>
  rowsFor(fr, count, random).filter((row) => row.name !== 'Coefficient de saturation');

const frenchHead = (document: Page): void => {
  document.font('Times-Bold').fontSize(15);
  write(document, 'Laboratoire de biologie médicale Fictif', 50, 34);
  document.font('Times-Roman').fontSize(10);
  write(document, 'Nom : MODELE Camille    Née le 17/04/1980    Sexe : F', 50, 60);
  write(document, 'Prélèvement du 05/03/2026 à 08h15    Édité le 06/03/2026', 50, 75);
};

const french: Draw = (document, rows) => {
  frenchHead(document);
  document.font('Times-Bold').fontSize(11);
  write(document, 'BIOCHIMIE', 50, 105);
  const columns = [
    column('Analyse', 50, 180, name),
    column('Résultat', 240, 60, value),
    column('Unités', 310, 70, unit),
    column('Valeurs de référence', 390, 90, range),
    column('Antériorités', 490, 60, previous),
  ];
  drawTable({ document, fonts: times, bottom: 770, nextPage: () => 60 }, simple(columns, { y: 125 }), rows);
};

const dotted: Draw = (document, rows) => {
  frenchHead(document);
  let y = 120;
  document.font('Courier').fontSize(9);
  for (const row of rows) {
    const dots = '.'.repeat(Math.max(3, 38 - row.name.length));
    write(document, `${row.name} ${dots} ${row.valueText.padStart(7)} ${row.unit.padEnd(10)} (${row.range})`, 50, y);
    y += 15;
  }
};

const spanish: Draw = (document, rows) => {
  document.font('Helvetica-Bold').fontSize(14);
  write(document, 'Laboratorio Clínico Inventado', 50, 34);
  document.font('Helvetica').fontSize(9);
  write(document, 'Paciente: EJEMPLO, ANA   Sexo: Mujer   Fecha de nacimiento: 17/04/1980', 50, 60);
  write(document, 'Fecha de extracción: 25/03/2026   Fecha de informe: 26/03/2026', 50, 74);
  const columns = [
    column('Prueba', 50, 170, name),
    column('Resultado', 230, 60, value),
    column('Unidades', 300, 90, unit),
    column('Valores de referencia', 400, 120, range),
  ];
  drawTable(sheetOf(document, helvetica), simple(columns, { y: 110 }), rows);
};

export const europeanPlans = (random: RandomOf): Plan[] => [
  {
    id: 'nhs-like',
    ...european,
    rows: rowsFor(uk, 28, random(5)).filter((row) => !notNamedByNhs.test(row.name)),
    draw: nhs,
  },
  {
    id: 'german',
    ...european,
    rows: rowsFor(de, 30, random(6)),
    draw: germanTable('Laborbefund', {}, [
      column('Untersuchung', 50, 170, name),
      column('Ergebnis', 225, 60, signed, { align: 'right' }),
      column('Einheit', 305, 80, unit),
      column('Referenzbereich', 395, 120, range),
    ]),
  },
  {
    id: 'german-vorwert',
    ...european,
    rows: rowsFor(de, 26, random(7)),
    draw: germanTable('Endbefund', { fonts: dejavu, borders: 'lines', hasSections: true }, [
      column('Analyse', 50, 150, name),
      column('Wert', 205, 45, value, { align: 'right' }),
      column('', 252, 15, sign),
      column('Einheit', 275, 75, unit),
      column('Referenzbereich', 355, 90, range),
      column('Vorwert', 460, 60, previous),
    ]),
  },
  {
    id: 'german-bare',
    ...european,
    rows: rowsFor(de, 22, random(8)),
    draw: germanTable('Laborwerte', { fonts: times, hasHead: false }, [
      column('', 50, 180, name),
      column('', 240, 50, value, { align: 'right' }),
      column('', 300, 70, unit),
      column('', 380, 120, (row) => `[${row.range}]`),
      column('', 510, 20, sign),
    ]),
  },
  {
    id: 'long-german',
    ...european,
    rows: rowsFor(de, 66, random(31)),
    draw: germanTable('Laborbefund', { hasSections: true }, [
      column('Untersuchung', 50, 170, name),
      column('Ergebnis', 225, 60, signed),
      column('Einheit', 305, 80, unit),
      column('Norm', 395, 120, range),
    ]),
  },
  { id: 'french', ...european, rows: frenchRows(26, random(9)), draw: french },
  { id: 'french-dotted', ...european, rows: frenchRows(24, random(10)), draw: dotted },
  {
    id: 'spanish',
    size: 'A4',
    rows: rowsFor(es, 66, random(11)).filter((row) => /^[A-ZÁ][a-zí]/.test(row.name) && !/^HS|^DHEA/.test(row.name)),
    draw: spanish,
  },
];
