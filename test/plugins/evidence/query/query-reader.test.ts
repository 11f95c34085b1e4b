import assert from 'node:assert/strict';
import { compileVocabulary } from '#plugins/evidence/matching/matcher.ts';
import { buildNearWords } from '#plugins/evidence/query/near-words.ts';
import { type QueryInWords, type ReaderParts, readTyped } from '#plugins/evidence/query/query-reader.ts';
import type { Resolved, Terms } from '#plugins/vocabulary/index.ts';

const NAMED = { slug: 'coenzyme-q10', name: 'Coenzyme Q10', latinName: '', synonyms: ['ubidecarenone'] };
const INDEX: Readonly<Record<string, number>> = { coenzyme: 9, q10: 9, heart: 40, failure: 40, older: 5 };

const row = { ...NAMED, entry: { forms: [], brands: [] } };
const terms = {
  supplements: new Map([[row.slug, row]]),
  topics: new Map(),
  conditions: new Map(),
  substances: new Map(),
} as unknown as Terms;
const meant = (input: string, match_type: Resolved['match_type'], confidence: number): Resolved => ({
  kind: 'supplement',
  slug: row.slug,
  name: row.name,
  input,
  match_type,
  confidence,
});
const RESOLVED: Readonly<Record<string, Resolved>> = {
  ubidecarenone: meant('ubidecarenone', 'synonym', 1),
  ubidecarenon: meant('ubidecarenon', 'typo', 0.8),
  ubidecavastatin: meant('ubidecavastatin', 'typo', 0.6),
};

const parts = (more: Partial<ReaderParts> = {}): ReaderParts => ({
  index: { frequency: (word) => INDEX[word.toLowerCase()] ?? 0 },
  terms,
  matcher: compileVocabulary({ supplements: [{ ...NAMED, forms: [] }], topics: [] }),
  isMedicine: (word) => word === 'ubidecamed',
  near: () => buildNearWords(Object.entries(INDEX)),
  resolve: async (text) => RESOLVED[text] ?? null,
  ...more,
});
const read = (typed: string, correct = true, more: Partial<ReaderParts> = {}): Promise<QueryInWords> =>
  readTyped(typed, correct, parts(more));

describe('readTyped', () => {
  it("searches for the supplement's name when no document contains the typed synonym", async () => {
    assert.deepEqual(await read('ubidecarenone'), {
      text: 'Coenzyme Q10',
      corrected: {
        query: 'Coenzyme Q10',
        words: [{ from: 'ubidecarenone', to: 'Coenzyme Q10', confidence: 1 }],
      },
      resolved: [
        { input: 'ubidecarenone', id: 'coenzyme-q10', type: 'supplement', match_type: 'synonym', confidence: 1 },
      ],
      trigger: null,
    });
  });

  it('reports a misspelt name as a typo', async () => {
    const { text, trigger } = await read('ubidecarenon');
    assert.deepEqual([text, trigger], ['Coenzyme Q10', 'typo']);
  });

  it('does not replace a word that is or may be the name of a medicine', async () => {
    for (const typed of ['ubidecavastatin', 'ubidecamed']) assert.equal((await read(typed)).text, typed);
  });

  it('does not replace a name when no document contains the supplement either', async () => {
    const { text, resolved } = await read('ubidecarenone', true, { index: { frequency: () => 0 } });
    assert.deepEqual(
      [text, resolved.map(({ id, match_type: how }) => [id, how])],
      ['ubidecarenone', [['coenzyme-q10', 'name']]],
    );
  });

  it('does not change the text when correction is off, but still reports the typo', async () => {
    const { text, corrected, trigger } = await read('haert failure', false);
    assert.deepEqual([text, corrected, trigger], ['haert failure', null, 'typo']);
    assert.equal((await read('haert failure')).text, 'heart failure');
  });

  it('loads the words of the index only when a word is unknown', async () => {
    let asked = 0;
    const near = async (): Promise<null> => {
      asked += 1;
      return null;
    };
    await read('heart failure in older', true, { near });
    assert.equal(asked, 0);
    await read('haert failure', true, { near });
    assert.equal(asked, 1);
  });
});
