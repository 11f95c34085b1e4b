import { linesOf } from '#core/import/text-stream.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import { substancesIn } from '../drugs/active-moiety.ts';
import { membersAt, placeOf, textOf } from './members.ts';
import type { NameFile, NameSink } from './name-sink.ts';

interface Columns {
  readonly ingredient: number;
  readonly name: number;
  readonly type: number;
  readonly count: number;
}

const columnsOf = (header: string): Columns => {
  const names = header.split('~').map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''));
  const columns = {
    ingredient: names.indexOf('ingredient'),
    name: names.indexOf('tradename'),
    type: names.indexOf('type'),
    count: names.length,
  };
  if (columns.ingredient < 0 || columns.name < 0)
    throw new UnreadableInput(
      'is no products file of the Orange Book: its first line names no Ingredient and Trade_Name',
    );
  return columns;
};

const takeRow = (line: string, columns: Columns, sink: NameSink, at: string): void => {
  const cells = line.split('~').map((cell) => cell.trim());
  const [ingredients = '', name = ''] = [cells[columns.ingredient], cells[columns.name]];
  if (cells.length < columns.count) sink.problem(at, `has ${cells.length} fields, not ${columns.count}`);
  else if (!ingredients || !name) sink.problem(at, 'has no ingredient or no trade name');
  else {
    sink.row();
    sink.name({
      nameKey: `${ingredients}|${name}`.slice(0, 1_000),
      name,
      kind: 'brand',
      ingredients: substancesIn(ingredients),
      rxcui: '',
      onMarket: columns.type < 0 || (cells[columns.type] ?? '').toUpperCase() !== 'DISCN',
    });
  }
};

/** FDA's Orange Book: approved medicines, their ingredients and trade names. */
export const orangebook: NameFile = {
  id: 'orangebook',
  summary: "FDA's Orange Book (products.txt, or the ZIP that holds it)",
  async read(path, sink, signal) {
    const [member] = await membersAt(path, /(?:^|\/)products\.txt$/i);
    if (!member) return;
    let columns: Columns | null = null;
    let line = 0;
    for await (const text of linesOf(textOf(member, { format: 'lines', wanted: 'the Orange Book' }, signal))) {
      signal.throwIfAborted();
      line += 1;
      if (text.trim() === '') continue;
      if (columns) takeRow(text, columns, sink, `${placeOf(path, member)} › line ${line}`);
      else columns = columnsOf(text);
    }
  },
};
