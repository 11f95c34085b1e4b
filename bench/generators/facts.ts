/**
 * Provides the pages that all generators build: real label facts of the starter catalogue (content/products), with links to
 * twelve other labels of the same brand. Each generator gets the same facts: as a database table, a data file or a folder of
 * files.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

export interface LabelFacts {
  readonly id: number;
  readonly name: string;
  readonly brand: string;
  readonly contents: string;
  readonly serving: string;
  readonly claims: readonly string[];
  readonly groups: readonly string[];
  readonly onMarket: boolean;
  readonly leftOn: string;
  readonly enteredOn: string;
  readonly others: readonly { readonly id: number; readonly name: string }[];
}

const OTHERS = 12;
const FILE = join(import.meta.dirname, '../../content/products/dsld-2019.tsv.br');

const parts = (cell = ''): readonly string[] => (cell ? cell.split('|') : []);

/**
 * Returns the first `count` labels by number. The catalogue has 92,456; beyond that, labels are repeated under higher numbers.
 */
export const readFacts = async (count: number): Promise<readonly LabelFacts[]> => {
  const text = (await promisify(brotliDecompress)(await readFile(FILE))).toString();
  const rows = text
    .split('\n')
    .slice(2)
    .filter(Boolean)
    .map((line) => line.split('\t'));
  const byBrand = Map.groupBy(rows, ([, , brand]) => brand);
  const factsOf = (row: readonly string[], id: number): LabelFacts => {
    const [own = '', name = '', brand = '', contents = '', serving = ''] = row;
    const siblings = byBrand.get(brand) ?? [];
    const from = siblings.findIndex(([other]) => other === own) + 1;
    const others = [...siblings.slice(from, from + OTHERS), ...siblings.slice(0, Math.max(0, from - 1))];
    return {
      id,
      name,
      brand,
      contents,
      serving,
      claims: parts(row[7]),
      groups: parts(row[8]),
      onMarket: row[9] === '1',
      leftOn: row[10] ?? '',
      enteredOn: row[11] ?? '',
      others: others.slice(0, OTHERS).map(([other, title = '']) => ({ id: Number(other), name: title })),
    };
  };
  const highest = Math.max(...rows.map(([id]) => Number(id)));
  return Array.from({ length: count }, (_, at) => {
    const row = rows[at % rows.length] as string[];
    return factsOf(row, Number(row[0]) + Math.floor(at / rows.length) * (highest + 1));
  });
};
