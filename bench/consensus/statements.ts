/** Reads the statements of authorities and maps each to a question of the base. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { People } from '../../plugins/findings/index.ts';
import { keyOf, populationOfFinding } from '../../plugins/outcomes/grading/population.ts';

/** Statement of an authority on one supplement for one outcome in one population. */
export interface Statement {
  readonly id: string;
  readonly authority: string;
  readonly address: string;
  readonly supplement: string;
  readonly topic: string;
  /** Key of the population, as in grades. */
  readonly population: string;
  readonly outcome: string;
  readonly direction: string;
  readonly certainty: string;
  readonly statement: string;
  /** `document`: read from the document; `knowledge`: written from general knowledge of the document. */
  readonly basis: string;
}

const PEOPLE: Readonly<Record<string, People>> = { smokers: 'adults' };

const toStatement = (row: Readonly<Record<string, string>>): Statement => {
  const people = PEOPLE[row.people ?? ''] ?? ((row.people || 'adults') as People);
  const population = keyOf(populationOfFinding({ people, condition: row.condition ?? '' }));
  const text = (name: string): string => row[name] ?? '';
  return {
    id: text('id'),
    authority: text('authority'),
    address: text('address'),
    supplement: text('supplement'),
    topic: text('topic'),
    population,
    outcome: text('outcome'),
    direction: text('direction'),
    certainty: text('certainty'),
    statement: text('statement'),
    basis: text('basis'),
  };
};

/** Reads the rows of a tab-separated file with a header; lines that begin with # are comments. */
export const readStatements = (path = join(import.meta.dirname, 'statements.tsv')): readonly Statement[] => {
  const [head = '', ...lines] = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return toStatement(Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])));
  });
};
