import assert from 'node:assert/strict';
import { numberCitations, refsInReadingOrder } from '#plugins/catalog/citations.ts';
import { SOURCE_CITATIONS } from '#plugins/vocabulary/index.ts';

const entry = {
  name: 'Zinc',
  category: 'mineral',
  traditions: [],
  synonyms: [],
  answer: 'Zinc is a mineral.',
  evidence: [{ topic: 'sleep', direction: 'null', statement: 'None.', sources: ['pmid:2', 'pmid:1'] }],
  dosing: [{ context: 'Sleep', dose: '10 mg', sources: ['pmid:4'] }],
  forms: [{ name: 'Oxide' }, { name: 'Citrate', sources: ['pmid:5', 'pmid:1'] }],
  safety: [{ level: 'info', statement: 'Fine.', authority: { name: 'NIH', address: 'https://ods.od.nih.gov/' } }],
  unknown: [],
  further_reading: [],
  updated_at: '2026-11-20',
};
const itself = (ref: string): string => ref;

describe('citation numbering', () => {
  it('numbers references in reading order', () => {
    const refs = refsInReadingOrder(entry, 'Text [@pmid:3; @pmid:2] and more.');
    assert.deepEqual(numberCitations(refs, itself).refs, ['pmid:2', 'pmid:1', 'pmid:3', 'pmid:4', 'pmid:5']);
  });

  it('gives two ids of one source the same number', () => {
    const numbering = numberCitations(['pmid:1', 'doi:10.1/x', 'pmid:2'], (ref) =>
      ref === 'doi:10.1/x' ? 'pmid:1' : ref,
    );
    assert.equal(numbering.of('doi:10.1/x'), 1);
    assert.equal(numbering.of('pmid:2'), 2);
  });

  it('lists the numbers of a claim once each, in ascending order', () => {
    const numbering = numberCitations(['pmid:1', 'pmid:2', 'pmid:3'], itself);
    assert.deepEqual(numbering.all(['pmid:3', 'pmid:1', 'pmid:3']), [1, 3]);
  });

  it('leaves out a reference that has no number', () => {
    assert.deepEqual(numberCitations(['pmid:1'], itself).all(['pmid:9']), []);
  });

  it('parses DOIs and trial numbers in one citation and skips text that is not an id', () => {
    assert.deepEqual(SOURCE_CITATIONS.refsIn('@doi:10.1016/S0140-6736(05)1; @nct:NCT01234567; see also'), [
      'doi:10.1016/S0140-6736(05)1',
      'nct:NCT01234567',
    ]);
  });
});
