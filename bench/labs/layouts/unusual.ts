/**
 * Defines synthetic reports of unusual form: missing, moved, narrow or duplicate columns, lines without a table, two reports in
 * one.
 */
import { drawTable, helvetica, times, write } from '../drawing.ts';
import { rowsFor } from '../specimen.ts';
import {
  basic,
  column,
  type Draw,
  flag,
  flagged,
  name,
  type Plan,
  type RandomOf,
  range,
  sheetOf,
  simple,
  unit,
  us,
  usHead,
  usTable,
  value,
} from './parts.ts';

const running: Draw = (document, rows) => {
  usHead(document, helvetica, 'Northfield Example Laboratory');
  let y = 140;
  document.font('Helvetica').fontSize(10);
  for (const row of rows) {
    const end = row.flag ? ` ${row.flag}` : '';
    write(document, `${row.name}: ${row.valueText} ${row.unit} (${row.range})${end}`, 40, y);
    y += 16;
  }
};

const monospaced = (test: string, result: string, mark: string, units: string, reference: string): string =>
  `${test.padEnd(34)}${result.padStart(9)}  ${mark.padEnd(5)}${units.padEnd(16)}${reference}`;

const monospace: Draw = (document, rows) => {
  document.font('Courier-Bold').fontSize(11);
  write(document, 'EXAMPLE COUNTY HOSPITAL LABORATORY', 40, 34);
  document.font('Courier').fontSize(9);
  write(document, 'PATIENT: SPECIMEN,ALEX   SEX: M   DOB: 04/17/1980', 40, 56);
  write(document, 'COLLECTED: 03/25/2026 0815   REPORTED: 03/26/2026 1012', 40, 68);
  write(document, monospaced('TEST', 'RESULT', 'FLAG', 'UNITS', 'REFERENCE'), 40, 96);
  write(document, '-'.repeat(88), 40, 106);
  let y = 118;
  for (const row of rows) {
    write(document, monospaced(row.name, row.valueText, row.flag, row.unit, row.range), 40, y);
    y += 12;
  }
};

const twoColumns: Draw = (document, rows) => {
  usHead(document, helvetica, 'Twin Table Diagnostics (invented)');
  const sheet = sheetOf(document, { ...helvetica, size: 7.5 });
  const half = Math.ceil(rows.length / 2);
  for (const [x, own] of [
    [30, rows.slice(0, half)],
    [312, rows.slice(half)],
  ] as const) {
    const columns = [
      column('Test', x, 104, name),
      column('Result', x + 106, 36, value, { align: 'right' }),
      column('Units', x + 150, 62, unit),
      column('Range', x + 212, 52, range),
    ];
    drawTable(sheet, simple(columns, { rowHeight: 15 }), own);
  }
};

/** Prints exponents as small raised digits. */
const raised: Draw = (document, rows) => {
  usHead(document, helvetica, 'Superscript Example Labs');
  let y = 140;
  document.font('Helvetica-Bold').fontSize(10);
  write(document, 'Component', 40, y);
  write(document, 'Value', 260, y);
  write(document, 'Unit', 320, y);
  write(document, 'Standard Range', 420, y);
  for (const row of rows) {
    y += 17;
    document.font('Helvetica').fontSize(10);
    write(document, row.name, 40, y);
    write(document, flagged(row), 260, y);
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

const twoReports: Draw = (document, rows) => {
  usTable('First Example Laboratory', {}, basic)(document, rows.slice(0, 10));
  document.addPage();
  document.font('Helvetica-Bold').fontSize(15);
  write(document, 'Second Example Laboratory', 40, 34);
  document.font('Helvetica').fontSize(9);
  write(document, 'Patient: OTHER, ROBIN   DOB: 11/30/1971   Sex: M', 40, 62);
  write(document, 'Collected: 01/14/2026   Reported: 01/15/2026', 40, 75);
  drawTable(sheetOf(document, helvetica), simple(basic), rows.slice(10));
};

export const unusualPlans = (random: RandomOf): Plan[] => [
  {
    id: 'no-head',
    rows: rowsFor(us, 26, random(12)),
    draw: usTable('Headless Example Laboratory', { hasHead: false }, [
      column('', 40, 190, name),
      column('', 240, 45, value, { align: 'right' }),
      column('', 292, 20, flag),
      column('', 320, 90, unit),
      column('', 430, 100, range),
    ]),
  },
  { id: 'running-lines', rows: rowsFor(us, 22, random(13)), draw: running },
  { id: 'monospace', rows: rowsFor({ ...us, bounds: 0.15 }, 40, random(14)), draw: monospace },
  { id: 'two-columns', rows: rowsFor(us, 40, random(15)), draw: twoColumns },
  {
    id: 'wrapped',
    rows: rowsFor(us, 24, random(16)),
    draw: usTable('Narrow Column Health Labs', { rowHeight: 24, borders: 'lines' }, [
      column('Test', 40, 88, name),
      column('Result', 150, 55, value),
      column('Units', 215, 85, unit),
      column('Reference Range', 310, 95, range),
      column('Flag', 415, 30, flag),
    ]),
  },
  {
    id: 'range-first',
    rows: rowsFor(us, 20, random(18)),
    draw: usTable('Backwards Example Laboratory', { fonts: times }, [
      column('Analyte', 40, 190, name),
      column('Reference', 240, 90, range),
      column('Unit', 340, 90, unit),
      column('Result', 440, 60, value, { align: 'right' }),
      column('', 510, 20, flag),
    ]),
  },
  {
    id: 'unit-in-name',
    rows: rowsFor(us, 22, random(19)),
    draw: usTable('Bracket Example Laboratory', {}, [
      column('Test', 40, 250, (row) => `${row.name} (${row.unit})`),
      column('Result', 300, 50, value),
      column('Normal Range', 370, 100, range),
      column('Flag', 480, 30, flag),
    ]),
  },
  {
    id: 'flag-first',
    rows: rowsFor(us, 20, random(21)),
    draw: usTable('Flagship Example Labs', {}, [
      column('Flag', 40, 30, flag),
      column('Test', 80, 190, name),
      column('Value', 280, 50, value),
      column('Units', 340, 90, unit),
      column('Normal', 440, 90, range),
    ]),
  },
  { id: 'superscripts', rows: rowsFor({ ...us, units: 'si' }, 26, random(22)), draw: raised },
  {
    id: 'two-reports',
    collectedAt: null,
    rows: [32, 33].flatMap((number) => rowsFor(us, 10, random(number))),
    draw: twoReports,
  },
  {
    id: 'tight',
    rows: rowsFor(us, 30, random(34)),
    draw: usTable('Tight Example Laboratory', { fonts: { ...helvetica, size: 8 }, rowHeight: 11 }, [
      column('Test', 40, 150, name),
      column('Result', 192, 32, value, { align: 'right' }),
      column('Units', 228, 70, unit),
      column('Range', 300, 60, range),
      column('Flag', 362, 20, flag),
    ]),
  },
];
