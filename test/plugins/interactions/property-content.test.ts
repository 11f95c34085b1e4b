/** What content/drugs/properties.tsv says of medicines agrees with itself and with the list of the severity rule. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type PlacedProperty, readProperties } from '#plugins/interactions/drugs/properties.ts';
import { NARROW_INDEX } from '#plugins/interactions/rules/narrow-index.ts';

const PATH = 'drugs/properties.tsv';
const rows: PlacedProperty[] = [];
const medicinesWith = (property: string, ...values: string[]): Set<string> =>
  new Set(
    rows
      .filter(({ fact }) => fact.property === property && values.includes(fact.value))
      .map(({ medicine }) => medicine),
  );

describe('content/drugs/properties.tsv', () => {
  before(async () => {
    rows.push(...readProperties({ path: PATH, text: await readFile(`content/${PATH}`, 'utf8'), digest: '' }));
  });

  it('says of no medicine both that it is nowhere given by mouth and a way by which it is', () => {
    const given = medicinesWith('route', 'oral', 'enteral', 'buccal', 'sublingual');
    assert.deepEqual([...medicinesWith('by_mouth', 'no').intersection(given)], []);
  });

  it('says of no medicine both yes and no', () => {
    const said = rows.filter(({ fact }) => ['yes', 'no'].includes(fact.value) && fact.property !== 'by_mouth');
    const twice = Map.groupBy(said, ({ medicine, fact }) => `${medicine}: ${fact.property}`);
    assert.deepEqual(
      [...twice].filter(([, of]) => of.length > 1).map(([name]) => name),
      [],
    );
  });

  it('says "complete" only where it names a way out', () => {
    const ways = new Set(rows.filter(({ fact }) => fact.property === 'eliminated_by').map(({ medicine }) => medicine));
    assert.deepEqual([...medicinesWith('elimination', 'complete').difference(ways)], []);
  });

  it('calls the same medicines narrow in their range of safe amounts as the rule of severity does', () => {
    const classes = ['cardiac-glycosides', 'thyroid-medicines', 'vitamin-k-antagonists'];
    const narrow = [...medicinesWith('narrow_therapeutic_index', 'yes')].map((name) => name.replaceAll(' ', '-'));
    assert.deepEqual([...NARROW_INDEX].toSorted(), [...narrow, ...classes].toSorted());
  });
});
