/** Checks content/interactions, and compares it with the data it was written from where that is available. */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readYaml } from '../../core/content-file.ts';
import { readFloorTable } from '../../plugins/interactions/floor/floor-table.ts';
import { readCautionTable } from '../../plugins/interactions/rules/caution-table.ts';
import { ruleOfLabel } from '../../plugins/interactions/rules/label-rules.ts';
import { readLabelTable } from '../../plugins/interactions/rules/label-table.ts';
import { readMechanisms } from '../../plugins/interactions/rules/mechanism-table.ts';
import { DepletionList, FormList, InteractionFile, type RuleSource } from '../../plugins/interactions/rules/schemas.ts';

const content = join(import.meta.dirname, '../../content/interactions');
const shared = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../shared/data');

interface Cited {
  readonly where: string;
  readonly source: RuleSource;
}
interface Told {
  readonly where: string;
  readonly text: string;
}

const PROMISES = /\b(cures?|miracle|guaranteed?|clinically proven|proven to)\b/i;
const STOPS = /\bstop (taking )?your (medicine|medication|drug|tablets|prescription)/i;

const rowsOf = async (name: string, folder = 'literature'): Promise<string[][]> =>
  (await readFile(join(shared, folder, name), 'utf8'))
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

/** Accepts every supplement name, because names are checked when the content is loaded. */
const ANY_NAME = { supplements: { get: (slug: string) => ({ name: slug }), has: () => true } } as never;

describe('content/interactions', () => {
  const cited: Cited[] = [];
  const told: Told[] = [];

  before(async () => {
    for (const name of await readdir(content)) {
      // Readers never see these lists, which are for editors only.
      if (name === 'signals.yaml' || name === 'label-candidates.tsv') continue;
      const file = { path: `interactions/${name}`, text: await readFile(join(content, name), 'utf8'), digest: '' };
      if (name === 'cautions.tsv') {
        for (const { supplement, data } of readCautionTable(file, ANY_NAME)) {
          const where = `${supplement} ${data.condition}`;
          told.push({ where, text: `${data.effect} ${data.recommendation}` });
          cited.push(...data.sources.filter(({ practice }) => !practice).map((source) => ({ where, source })));
        }
        continue;
      }
      if (name === 'floor.tsv') {
        for (const { supplement, data } of readFloorTable(file, ANY_NAME))
          if (data.upper) told.push({ where: `${supplement} upper intake`, text: data.upper.statement });
        continue;
      }
      if (name === 'mechanisms.tsv') {
        for (const { supplement, fact } of readMechanisms(file, null)) {
          const where = `${supplement} ${fact.action} ${fact.target}`;
          told.push({ where, text: fact.sentence });
          const pmid = /^PMID (\d+)$/.exec(fact.basis)?.[1];
          if (pmid) cited.push({ where, source: { ref: `pmid:${pmid}` } });
        }
        continue;
      }
      if (name.endsWith('.tsv')) {
        for (const { statement } of readLabelTable(file, ANY_NAME)) {
          const { slug, effect, recommendation } = ruleOfLabel(
            `${statement.supplement.slug} ${statement.medicine}`,
            statement,
          );
          told.push({ where: slug, text: `${effect} ${recommendation}` });
        }
        continue;
      }
      if (name === 'depletions.yaml') {
        for (const { slug, effect, note, sources } of readYaml(file, DepletionList)) {
          told.push({ where: slug, text: `${effect} ${note}` });
          cited.push(...sources.map((source) => ({ where: slug, source })));
        }
        continue;
      }
      if (name === 'forms.yaml') {
        for (const { slug, not, only } of readYaml(file, FormList)) {
          told.push({ where: slug, text: `${not?.note ?? ''} ${only?.note ?? ''}` });
        }
        continue;
      }
      const { subject, rules = [], cautions = [] } = readYaml(file, InteractionFile);
      for (const { slug, effect, recommendation, sources, studied = [] } of rules) {
        told.push({ where: slug, text: `${effect} ${recommendation}` });
        const studies = studied.flatMap((one) => one.sources);
        cited.push(...[...sources, ...studies].map((source) => ({ where: slug, source })));
      }
      for (const { condition, effect, recommendation, sources } of cautions) {
        told.push({ where: `${subject} ${condition}`, text: `${effect} ${recommendation}` });
        cited.push(...sources.map((source) => ({ where: `${subject} ${condition}`, source })));
      }
    }
    assert.ok(cited.length > 200);
  });

  it('contains no promises of a cure and no instruction to stop a medicine', () => {
    const bad = told.filter(({ text }) => PROMISES.test(text) || STOPS.test(text));
    assert.deepEqual(
      bad.map(({ where, text }) => `${where}: ${PROMISES.exec(text)?.[0] ?? STOPS.exec(text)?.[0]}`),
      [],
    );
  });

  it('cites papers by their recorded title, and no retracted or suspect paper', async function () {
    if (!existsSync(join(shared, 'literature'))) return this.skip();
    const bare = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
    const titles = new Map<string, string[]>();
    for (const [pmid = '', kind, text = ''] of await rowsOf('pmid-titles.tsv'))
      if (kind === 'title') titles.set(pmid, [...(titles.get(pmid) ?? []), bare(text)]);
    // Papers on single pairs, whose records were checked against the live registry elsewhere.
    for (const [, , , , pmid = '', , text = ''] of await rowsOf('interactions.tsv', 'landmark'))
      if (pmid) titles.set(pmid, [...(titles.get(pmid) ?? []), bare(text)]);
    const barred = new Set(
      [...(await rowsOf('retracted-pmids.tsv')), ...(await rowsOf('suspect-pmids.tsv'))]
        .map(([pmid = '']) => pmid)
        .filter(Boolean),
    );
    const pmidOf = ({ pmid, ref }: RuleSource): string => pmid ?? /^pmid:(\d+)$/.exec(ref ?? '')?.[1] ?? '';
    const wrong = cited.flatMap(({ where, source }) => {
      const pmid = pmidOf(source);
      if (barred.has(pmid)) return [`${where}: ${pmid} is barred`];
      if (!source.pmid || titles.get(pmid)?.includes(bare(source.title ?? ''))) return [];
      return [`${where}: ${pmid} has another title, or none was seen`];
    });
    assert.deepEqual(wrong, []);
  });
});
