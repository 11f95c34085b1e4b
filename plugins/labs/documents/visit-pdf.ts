/** Builds the PDF for a doctor's visit; the same data result in the same bytes. */
import { type PageFlow, pageFlow } from './page-flow.ts';
import type { Column } from './page-parts.ts';
import type { ValueRow, Visit } from './visit.ts';

const FOOTER = 'Made from values that the person confirmed. Not a diagnosis.';

const VALUE_COLUMNS: readonly Column[] = [
  { title: 'Value', share: 25 },
  { title: 'Result', share: 17 },
  { title: 'Printed range', share: 16 },
  { title: 'Our range [source]', share: 22 },
  { title: 'Result is', share: 16 },
  { title: 'Earlier result', share: 26 },
];

const cellsOf = ({ name, result, printed, ours, beside, earlier }: ValueRow): string[] => [
  name,
  result,
  printed,
  ours,
  beside,
  earlier,
];

const TAKEN_COLUMNS: readonly Column[] = [
  { title: 'Name', share: 32 },
  { title: 'Kind', share: 16 },
  { title: 'Dose', share: 28 },
  { title: 'Started', share: 14 },
  { title: 'Stopped', share: 14 },
];

const drawCritical = (flow: PageFlow, rows: readonly ValueRow[]): void => {
  if (!rows.length) return;
  flow.heading(2, 'Critical: contact a doctor or an emergency service now', true);
  flow.paragraph(
    'These values are beyond a limit at which laboratories call the doctor. Do not wait for a planned visit.',
  );
  flow.table('Critical values', VALUE_COLUMNS, rows.map(cellsOf));
};

const drawValues = (flow: PageFlow, { critical, outside, groups, notes }: Visit): void => {
  flow.heading(2, critical.length ? 'Other values outside their range' : 'Values outside their range');
  if (outside.length) flow.table('Values outside their range', VALUE_COLUMNS, outside.map(cellsOf));
  else
    flow.paragraph(
      `No ${critical.length ? 'other ' : ''}confirmed value is outside the range that it could be compared with. This does not mean that all is well.`,
    );
  flow.heading(2, 'All confirmed values');
  flow.paragraph(
    'The range that the laboratory printed is the reference. Ours stands beside it where we hold a source that fits the person.',
    true,
  );
  flow.table(
    'All confirmed values',
    VALUE_COLUMNS,
    groups.flatMap(({ name, rows }) => [[name], ...rows.map(cellsOf)]),
  );
  for (const note of notes) flow.paragraph(note, true);
};

const drawTaken = (flow: PageFlow, { taken, interactions, depletions, checked }: Visit): void => {
  flow.heading(2, 'Medicines and supplements');
  if (!taken.length) {
    flow.paragraph('The person has noted none. This does not mean that none is taken.');
    return;
  }
  flow.table(
    'Medicines and supplements',
    TAKEN_COLUMNS,
    taken.map(({ name, kind, dose, started, stopped }) => [name, kind, dose, started, stopped]),
  );
  flow.heading(2, 'Interactions in our sources');
  for (const { pair, severity, toDo, effect, address } of interactions) {
    flow.heading(3, `${severity}: ${pair}`);
    flow.paragraph(`${toDo}. ${effect} ${address}`);
  }
  if (depletions.length) {
    flow.heading(3, 'Nutrients that a medicine on the list may lower');
    flow.list(depletions);
  }
  flow.heading(3, 'What was looked up');
  flow.list(checked.length ? checked : ['One thing alone has no pair to check. This says nothing about its safety.']);
};

export const visitPdf = (visit: Visit, createdAt: Date): Promise<Buffer> => {
  const flow = pageFlow({ title: visit.title, createdAt });
  flow.title(visit.title);
  flow.paragraph(visit.facts.map(({ what, is }) => `${what}: ${is}`).join('  ·  '));
  drawCritical(flow, visit.critical);
  drawValues(flow, visit);
  flow.heading(2, 'Questions to ask');
  if (visit.questions.length) flow.list(visit.questions);
  else flow.paragraph('Nothing in these values asks for a question by itself.');
  drawTaken(flow, visit);
  if (visit.sources.length) {
    flow.heading(2, 'Where our ranges come from');
    flow.list(
      visit.sources.map(
        ({ number, name, address, population }) => `[${number}] ${name}, for ${population}: ${address}`,
      ),
    );
  }
  return flow.end(FOOTER);
};
