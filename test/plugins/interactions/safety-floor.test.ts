/** Tests the safety floor of every supplement in the starter content, and required statements on some supplements. */
import assert from 'node:assert/strict';
import { FLOOR_COLUMNS, readFloorTable } from '#plugins/interactions/floor/floor-table.ts';
import { longestStudied } from '#plugins/interactions/floor/longest-studied.ts';
import { safetyFloor } from '#plugins/interactions/floor/safety-floor.ts';
import { FLOOR_TOPICS, NOT_STUDIED_TOPICS } from '#plugins/interactions/floor/topics.ts';
import { upperLimitInWords } from '#plugins/interactions/floor/upper-limit-words.ts';
import { type InteractionServices, interactionsPlugin } from '#plugins/interactions/index.ts';
import { type VocabularyServices, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

interface Topic {
  readonly topic: string;
  readonly status: string;
  readonly statement: string;
  readonly origin: string;
  readonly cautions: readonly { severity: string; effect: string; recommendation: string; origin: string }[];
}

const textOf = (html: string): string =>
  html
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');

describe('safety floor', () => {
  let service: SharedService;
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });
  const floorOf = async (slug: string): Promise<ReadonlyMap<string, Topic>> => {
    const reply = await fetch(`${service.url}/api/supplements/${slug}/safety`);
    assert.equal(reply.status, 200, slug);
    const { topics } = (await reply.json()) as { topics: readonly Topic[] };
    return new Map(topics.map((one) => [one.topic, one]));
  };
  const saysOf = async (slug: string, topic: string): Promise<string> => {
    const { cautions = [], statement = '' } = (await floorOf(slug)).get(topic) ?? {};
    return `${statement} ${cautions.map((one) => `${one.severity}: ${one.effect} ${one.recommendation}`).join(' ')}`;
  };
  const pageOf = async (slug: string): Promise<string> => {
    const html = await (await fetch(`${service.url}/supplements/${slug}`)).text();
    const [, rest = ''] = html.split(' aria-labelledby="safety">');
    return textOf(rest.split('</section>')[0] ?? '');
  };

  it('either states each topic or marks it as not studied for every supplement', async () => {
    const book = await (service.runtime.servicesOf(interactionsPlugin) as InteractionServices).book();
    const { supplements, intakes } = await (service.runtime.servicesOf(vocabularyPlugin) as VocabularyServices).terms();
    assert.ok(supplements.size > 180);
    const wrong: string[] = [];
    for (const [slug, row] of supplements) {
      const floor = new Map(safetyFloor(book, row, intakes.get(slug)).map((line) => [line.topic, line]));
      const declared: readonly string[] = book.floors.get(slug)?.notStudied ?? [];
      for (const topic of FLOOR_TOPICS) {
        const line = floor.get(topic);
        if (topic === 'driving') {
          const sedates = book
            .rulesOf(slug)
            .some(({ subject, target }) => subject.slug === slug && target.slug === 'sedatives');
          if (sedates && line?.status !== 'stated') wrong.push(`${slug} sedates, and nothing is said of driving`);
        } else if (!line || line.status === 'not_entered') wrong.push(`${slug}: ${topic} is missing`);
        else if (!line.cautions.length && !line.statement) wrong.push(`${slug}: ${topic} says nothing`);
        if (line?.cautions.length && declared.includes(topic))
          wrong.push(`${slug}: ${topic} is stated and not studied`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('is returned by the API with the origin of each topic, and 404 for an unknown supplement', async () => {
    const floor = await floorOf('iron');
    assert.deepEqual(
      [...floor.keys()],
      FLOOR_TOPICS.filter((topic) => topic !== 'driving'),
    );
    assert.equal(floor.get('children')?.origin, 'data_file');
    assert.match(
      floor.get('upper-intake')?.statement ?? '',
      /^45 mg a day for adults of every age; 40 mg for infants; 40 mg from 1 to 13 years/,
    );
    assert.equal((await floorOf('rue')).get('upper-intake')?.status, 'no_limit_set');
    assert.equal((await fetch(`${service.url}/api/supplements/nothing-of-this-name/safety`)).status, 404);
  });

  const cases: readonly (readonly [slug: string, topic: string, says: RegExp])[] = [
    [
      'iron',
      'children',
      /An overdose of iron kills small children.*call the emergency number or a poison centre at once/,
    ],
    ['vitamin-a', 'children', /poisons children.*600 micrograms/],
    ['vitamin-d', 'children', /overdose raises calcium/],
    ['alpha-lipoic-acid', 'children', /fits, loss of consciousness/],
    ['caffeine', 'children', /seizures/],
    ['sage', 'children', /seizures in babies/],
    ['peppermint', 'children', /infant|small child/i],
    ['probiotics', 'children', /In 2023 the FDA warned that preterm infants/],
    ['blue-cohosh', 'pregnancy', /contraindicated: .*Newborns had heart failure/],
    ['rue', 'pregnancy', /contraindicated: .*several died/],
    ['ashwagandha', 'pregnancy', /advised against in pregnancy/],
    ['ashwagandha', 'liver-disease', /has caused liver injury/],
    ['vitamin-a', 'pregnancy', /More than 10,000 IU \(3,000 micrograms\).*birth defects/],
    ['kava', 'liver-disease', /severe liver injury/],
    ['kava', 'driving', /drowsy/],
    ['biotin', 'lab-tests', /troponin/],
    ['vitamin-c', 'lab-tests', /blood sugar meters.*stool/],
    ['creatine', 'lab-tests', /raises creatinine/],
    ['iodine', 'lab-tests', /thyroid tests/],
    ['calcium', 'upper-intake', /2,000 mg from 51 years/],
    ['zinc', 'upper-intake', /7 mg from 1 to 3 years/],
    ['ashwagandha', 'longest-studied', /12 weeks/],
  ];
  for (const [slug, topic, says] of cases)
    it(`states the harm of ${slug} for ${topic}`, async () => assert.match(await saysOf(slug, topic), says));

  it('names ATBC and CARET as proof that beta-carotene harms smokers and people exposed to asbestos', async () => {
    const page = await pageOf('beta-carotene');
    assert.match(
      page,
      /Smokers and former smokers : Beta-carotene supplements raise the risk of lung cancer.*ATBC and CARET, showed it/,
    );
    assert.match(page, /Exposure to asbestos : Beta-carotene supplements raise the risk of lung cancer/);
  });

  it('is shown on the page with the most severe caution first and no repeated sentence', async () => {
    const words = ['Do not take it', 'Not above a dose', 'Major', 'Warning', 'Moderate', 'Caution', 'Minor'];
    for (const slug of ['iron', 'blue-cohosh', 'ashwagandha', 'vitamin-a']) {
      const html = await (await fetch(`${service.url}/supplements/${slug}`)).text();
      const [, list = ''] = html.split('<ul class="safety" id="care">');
      const lines = (list.split('</ul>')[0] ?? '').split('</li>').slice(0, -1).map(textOf);
      const places = lines
        .map((line) => words.findIndex((word) => line.trim().startsWith(word)))
        .filter((at) => at >= 0);
      const ranks = places.map((at) => (at === 1 ? 0 : at));
      assert.deepEqual(
        ranks,
        ranks.toSorted((a, b) => a - b),
        slug,
      );
      const sentences = lines.flatMap((line) => line.match(/[A-Z][^.!?]{20,}[.!?]/g) ?? []);
      assert.equal(new Set(sentences).size, sentences.length, slug);
      assert.ok(lines.length > 5, slug);
      const page = await pageOf(slug);
      assert.match(page, /Upper intake.*Longest time studied/, slug);
      // Every topic is stated for iron.
      assert.equal(/Longest time studied.*Not studied well enough/.test(page), slug !== 'iron', slug);
    }
  });
});

describe('floor.tsv', () => {
  const names = { supplements: { has: (slug: string) => slug === 'zinc' } } as never;
  const read = (...cells: readonly string[]) =>
    readFloorTable(
      {
        path: 'interactions/floor.tsv',
        text: [FLOOR_COLUMNS, cells].map((row) => row.join('\t')).join('\n'),
        digest: '',
      },
      names,
    );

  it('returns an upper intake and the topics that were not studied', () => {
    assert.deepEqual(read('zinc', '', '', '', 'surgery children'), [
      { line: 2, supplement: 'zinc', data: { upper: null, notStudied: ['surgery', 'children'] } },
    ]);
  });

  it('rejects unknown names and topics and incomplete authorities with line and column', () => {
    assert.throws(
      () => read('nothing', '', '', '', ''),
      /floor\.tsv:2: field supplement: no supplement is called "nothing"/,
    );
    assert.throws(() => read('zinc', '', '', '', 'driving'), /field not_studied: "driving" is none of/);
    assert.throws(() => read('zinc', '5 mg.', 'FDA', '', ''), /field address: an authority needs the address/);
    assert.ok(!NOT_STUDIED_TOPICS.some((topic) => (topic as string) === 'driving'));
  });
});

describe('longestStudied()', () => {
  const dose = (duration: string, context = 'Adults') => ({ context, dose: '1 g', duration, sources: ['pmid:1'] });
  it('returns the longest duration of a dose in any unit', () => {
    assert.equal(
      longestStudied([dose('8 weeks'), dose('three months'), dose('90 days')] as never)?.duration,
      'three months',
    );
    assert.equal(longestStudied([dose('4 to 12 weeks'), dose('60 days')] as never)?.duration, '4 to 12 weeks');
  });
  it('ignores ages and follow-up times and returns null when no duration is stated', () => {
    assert.equal(
      longestStudied([dose('from 2 to 12 months of age'), dose('followed for 3 years'), dose('once')] as never),
      null,
    );
    assert.equal(longestStudied([]), null);
  });
});

describe('upperLimitInWords()', () => {
  const authority = { name: 'NIH ODS', address: 'https://ods.od.nih.gov/' };
  const row = (groups: readonly object[]) =>
    ({ supplement: 'x', unit: 'mg', upperLimit: { adult: 2500, groups }, recommended: [], authority }) as never;
  it('merges ages with the same value and lists older adults with a different value', () => {
    const both = (age: string, value: number) => [
      { group: 'Male', age, value },
      { group: 'Female', age, value },
    ];
    assert.equal(
      upperLimitInWords(
        row([
          { group: 'Children', age: '1-3', value: 2500 },
          { group: 'Children', age: '4-8', value: 2500 },
          ...both('51-70', 2000),
          ...both('71+', 2000),
        ]),
      ),
      '2,500 mg a day for adults; 2,500 mg from 1 to 8 years; 2,000 mg from 51 years.',
    );
    assert.equal(upperLimitInWords(row([])), '2,500 mg a day for adults of every age.');
  });
});
