/**
 * Tests similar names: an exact name resolves to itself, and a short name or one that differs in a digit is never
 * guessed.
 */
import assert from 'node:assert/strict';
import { foldName } from '#core/search/name-index.ts';
import { type InteractionServices, interactionsPlugin } from '#plugins/interactions/index.ts';
import { type VocabularyServices, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Returns the text with one letter changed, removed, inserted or swapped. */
const slipsOf = (text: string): Set<string> => {
  const found = new Set<string>();
  for (let at = 0; at <= text.length; at += 1) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    for (const letter of LETTERS) {
      found.add(before + letter + after);
      if (after) found.add(before + letter + after.slice(1));
    }
    if (after) found.add(before + after.slice(1));
    if (after.length > 1) found.add(before + after[1] + after[0] + after.slice(2));
  }
  return found;
};

describe('similar names', () => {
  let service: SharedService;
  let vocabulary: VocabularyServices;
  let interactions: InteractionServices;
  /** Every name, with the slugs of all entries that have it. */
  let owners: Map<string, Set<string>>;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
    vocabulary = service.runtime.servicesOf(vocabularyPlugin) as VocabularyServices;
    interactions = service.runtime.servicesOf(interactionsPlugin) as InteractionServices;
    const { supplements, substances } = await vocabulary.terms();
    const { drugs } = await interactions.book();
    owners = new Map();
    const add = (slug: string, names: readonly string[]): void => {
      for (const name of names.filter(Boolean)) owners.set(name, (owners.get(name) ?? new Set()).add(slug));
    };
    for (const { slug, name, latinName, synonyms } of supplements.values()) add(slug, [name, latinName, ...synonyms]);
    for (const { slug, name, synonyms } of substances.values()) add(slug, [name, ...synonyms]);
    for (const { slug, name, brands } of drugs.all()) add(slug, [name, ...brands]);
    for (const { slug, name } of drugs.classes.values()) add(slug, [name]);
  });

  it('are not resolved as typos when the exact name is known, in both lists', async function () {
    this.timeout(60_000);
    const names = interactions.names(await interactions.book());
    const guessed: string[] = [];
    for (const name of owners.keys())
      for (const list of ['subject', 'drug'] as const) {
        const found = await names.any(name, list);
        if (found?.matchType === 'typo') guessed.push(`${name} as ${list}`);
      }
    assert.ok(owners.size > 5_000, String(owners.size));
    assert.deepEqual(guessed, []);
  });

  it('are never resolved as typos with five letters or fewer', async function () {
    this.timeout(120_000);
    const { drugs } = await interactions.book();
    const short = [...owners.keys()].filter((name) => /^[a-z]{3,5}$/i.test(name));
    assert.ok(short.length > 150, String(short.length));
    const guessed: string[] = [];
    for (const name of short)
      for (const slip of [...slipsOf(foldName(name))].filter(({ length }) => length <= 5)) {
        const [subject, drug] = [await vocabulary.resolve(slip, ['supplement', 'substance']), drugs.resolve(slip)];
        for (const hit of [subject, drug]) if (hit?.match_type === 'typo') guessed.push(`${slip} as ${hit.name}`);
      }
    assert.deepEqual(guessed, []);
  });

  it('are never resolved as typos when a digit differs', async () => {
    const { drugs } = await interactions.book();
    const numbered = [...owners.keys()].filter((name) => /\d/.test(name) && /[a-z]/i.test(name));
    assert.ok(numbered.length > 100, String(numbered.length));
    const guessed: string[] = [];
    for (const name of numbered) {
      const other = name.replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
      for (const hit of [await vocabulary.resolve(other, ['supplement', 'substance']), drugs.resolve(other)])
        if (hit?.match_type === 'typo') guessed.push(`${other} as ${hit.name}`);
    }
    assert.deepEqual(guessed, []);
  });

  for (const [input, not] of [
    ['DMAE', 'dmaa'],
    ['5-MTP', '5-htp'],
    ['MK-7', '7-methylkratom'],
    ['chlorine', 'choline'],
    ['carnosine', 'l-carnitine'],
    ['L-carnosine', 'l-carnitine'],
    ['creatinine', 'creatine'],
    ['luteolin', 'lutein'],
    ['cinnarizine', 'cinnamon'],
    ['cassia', 'buprenorphine-and-naloxone'],
    ['histidine', 'histamine'],
    ['zinc 50', 'bisoprolol-and-hydrochlorothiazide'],
    ['omalizumab', 'efalizumab'],
    ['somatropin', 'homatropine'],
    ['thrombin', 'warfarin'],
  ] as const) {
    it(`do not resolve ${input} to ${not}`, async () => {
      const names = interactions.names(await interactions.book());
      for (const list of ['subject', 'drug'] as const) {
        const found = await names.any(input, list);
        const slug = found?.type === 'subject' ? found.subject.slug : found?.type === 'drug' ? found.drug.slug : '';
        assert.notEqual(slug, not);
      }
    });
  }

  it('are suggested when they are not resolved', async () => {
    const names = interactions.names(await interactions.book());
    for (const [input, offered] of [
      ['DMAE', 'dmaa'],
      ['zink', 'zinc'],
      ['omalizumab', 'efalizumab'],
    ] as const)
      assert.ok(
        (await names.near(input, 'any')).some(({ slug }) => slug === offered),
        input,
      );
  });
});
