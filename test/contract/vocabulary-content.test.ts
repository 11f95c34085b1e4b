/** Checks that the vocabulary content is consistent, and compares it with the data it was written from. */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { readFrontMatter, readYaml } from '../../core/content-file.ts';
import { foldName, joinWords } from '../../core/search/name-fold.ts';
import { ConditionEntry } from '../../plugins/vocabulary/condition-schema.ts';
import { IntakeList, SubstanceList } from '../../plugins/vocabulary/list-schemas.ts';
import { SupplementEntry, TopicList } from '../../plugins/vocabulary/schemas.ts';

const content = join(import.meta.dirname, '../../content');
const shared = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../shared/data');

const PROMISES = /\b(cures?|miracle|guaranteed?|clinically proven|proven to)\b/i;
const ADVICE = /(^|[.!?]\s+)(take|try|use|avoid|consult|ask) (your|a|it|this|the|one|\d)/i;

const read = async (path: string) => ({ path, text: await readFile(join(content, path), 'utf8'), digest: '' });
const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const runs = (text: string): string[] => {
  const all = words(text);
  return all.slice(7).map((_, at) => all.slice(at, at + 8).join(' '));
};

/** Returns all strings in a JSON value. */
const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return value && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [];
};

interface NutrientRow {
  readonly group: string;
  readonly age_range: string;
  readonly rda_ai: number | null;
  readonly ul: number | null;
}

/** Slugs whose id in the data is not the slug with underscores. */
const NUTRIENT_IDS: Readonly<Record<string, string>> = { 'omega-3': 'alpha_linolenic_acid' };

describe('vocabulary content', () => {
  let conditions: readonly { slug: string; entry: Static<typeof ConditionEntry>; body: string }[];
  let substances: Static<typeof SubstanceList>;
  let texts: readonly { where: string; text: string }[];

  before(async () => {
    conditions = await Promise.all(
      (await readdir(join(content, 'conditions'))).map(async (name) => {
        const { data, body } = readFrontMatter(await read(`conditions/${name}`), ConditionEntry);
        return { slug: name.slice(0, -'.md'.length), entry: data, body };
      }),
    );
    substances = readYaml(await read('substances.yaml'), SubstanceList);
    texts = [
      ...conditions.map(({ slug, entry, body }) => ({ where: slug, text: `${entry.answer}\n${body}` })),
      ...substances.map(({ slug, statement }) => ({ where: slug, text: statement })),
    ];
  });

  it('has at least 64 conditions, which cover every topic of the kind condition', async () => {
    assert.ok(conditions.length >= 64);
    const told = new Set(conditions.flatMap(({ entry }) => entry.topics));
    const topics = readYaml(await read('topics.yaml'), TopicList).filter(({ kind }) => kind === 'condition');
    assert.deepEqual(
      topics.filter(({ slug }) => !told.has(slug)).map(({ slug }) => slug),
      [],
    );
  });

  it('uses no name of a restricted or banned supplement for any other entry', async () => {
    const files = (await readdir(join(content, 'supplements'))).map((name) => name.slice(0, -'.md'.length));
    const supplements = await Promise.all(
      files.map(async (slug) => ({
        slug,
        entry: readFrontMatter(await read(`supplements/${slug}.md`), SupplementEntry).data,
      })),
    );
    const owners = new Map<string, Set<string>>();
    const own = (slug: string, names: readonly string[]): void => {
      for (const name of names) {
        const key = joinWords(foldName(name));
        owners.set(key, (owners.get(key) ?? new Set()).add(slug));
      }
    };
    for (const { slug, entry } of supplements)
      own(slug, [slug, entry.name, entry.latin_name ?? '', ...entry.synonyms, ...(entry.brands ?? [])].filter(Boolean));
    for (const { slug, name, synonyms } of substances) own(slug, [slug, name, ...synonyms]);
    for (const { slug, entry } of conditions) own(slug, [slug, entry.name, ...entry.synonyms]);
    const status = substances.filter(({ slug }) => files.includes(slug)).map(({ slug }) => slug);
    assert.ok(status.includes('kratom') && status.includes('garcinia') && status.length >= 5);
    assert.deepEqual(
      [...owners].filter(([, slugs]) => slugs.size > 1 && status.some((slug) => slugs.has(slug))),
      [],
    );
  });

  it('describes a condition in 30 to 120 words and the role of supplements in at most 100 more', () => {
    const words = (text: string): number => text.split(/\s+/).length;
    const wrong = conditions
      .map(({ slug, body }) => ({ slug, paragraphs: body.trim().split(/\n+/) }))
      .filter(({ paragraphs: [heading, text = '', more = '', ...others] }) => {
        const isLong = words(text) > 120 || words(more) > 100 || words(`${text} ${more}`) < 60;
        return heading !== '## What it is' || others.length > 0 || words(text) < 30 || isLong;
      });
    assert.deepEqual(
      wrong.map(({ slug }) => slug),
      [],
    );
  });

  it('contains no promises of a cure and no instructions to the reader', () => {
    const bad = texts.filter(({ text }) => PROMISES.test(text) || ADVICE.test(text));
    assert.deepEqual(
      bad.map(({ where }) => where),
      [],
    );
  });

  it('has no adult upper limit below a recommended intake, except for magnesium', async () => {
    const wrong = readYaml(await read('reference-intakes.yaml'), IntakeList).filter(
      ({ supplement, upper_limit, recommended }) =>
        supplement !== 'magnesium' && recommended.some(({ value }) => value > (upper_limit?.adult ?? Infinity)),
    );
    assert.deepEqual(
      wrong.map(({ supplement }) => supplement),
      [],
    );
  });

  it('has exactly the intake amounts of the source data', async function () {
    if (!existsSync(join(shared, 'interactions'))) return this.skip();
    const { nutrient_recommendations: all } = JSON.parse(
      await readFile(join(shared, 'interactions/rda_optimal_uls.json'), 'utf8'),
    ) as { nutrient_recommendations: readonly { id: string; data: readonly NutrientRow[] }[] };
    const rows = new Map(all.map(({ id, data }) => [id, data]));
    for (const { supplement, upper_limit, recommended } of readYaml(await read('reference-intakes.yaml'), IntakeList)) {
      const there = rows.get(NUTRIENT_IDS[supplement] ?? supplement.replaceAll('-', '_')) ?? [];
      assert.deepEqual(
        recommended.map(({ group, age, value }) => [group, age, value]),
        there.map(({ group, age_range, rda_ai }) => [group, age_range, rda_ai]),
        supplement,
      );
      const ours = new Map((upper_limit?.groups ?? []).map(({ group, age, value }) => [`${group} ${age}`, value]));
      for (const { group, age_range, ul } of there)
        assert.equal(ours.get(`${group} ${age_range}`) ?? upper_limit?.adult ?? null, ul, `${supplement} ${group}`);
    }
  });

  it('links only to URLs from the source data and copies no eight words in a row from it', async function () {
    if (!existsSync(join(shared, 'interactions'))) return this.skip();
    const files = await Promise.all(
      ['interactions', 'literature'].map(async (folder) => {
        const names = (await readdir(join(shared, folder))).filter((name) => /\.(json|tsv)$/.test(name));
        return Promise.all(names.map((name) => readFile(join(shared, folder, name), 'utf8')));
      }),
    );
    const there = files.flat();
    const named = [
      ...substances.flatMap(({ authority }) => authority ?? []),
      ...conditions.flatMap(({ entry }) => entry.further_reading),
    ].map(({ address }) => address);
    assert.deepEqual(
      [...new Set(named)].filter((address) => !there.some((text) => text.includes(address))),
      [],
    );
    const sentences = new Set(
      there.filter((text) => text.startsWith('{')).flatMap((text) => textsOf(JSON.parse(text)).flatMap(runs)),
    );
    const copied = texts
      .map(({ where, text }) => ({ where, run: runs(text).find((run) => sentences.has(run)) }))
      .filter(({ run }) => run);
    assert.deepEqual(copied, []);
  });
});
