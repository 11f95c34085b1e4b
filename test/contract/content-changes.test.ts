/** Checks that changes recorded by editors appear on the page of the entry. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type SharedService, sharedService } from '../support/shared.ts';

const contentDir = join(import.meta.dirname, '../../content');

interface Told {
  readonly date: string;
  readonly what: string;
}

const frontMatter = (text: string): { changes?: Told[] } => parse(/^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '') ?? {};

const plain = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

describe('a recorded content change', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  const historyOf = async (path: string): Promise<string> => {
    const reply = await fetch(`${service.url}${path}`);
    assert.equal(reply.status, 200, path);
    return plain(/<section[^>]* aria-labelledby="history"[\s\S]*?<\/section>/.exec(await reply.text())?.[0] ?? '');
  };
  const dayOf = (date: string): string =>
    new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

  for (const kind of ['supplements', 'conditions', 'biomarkers', 'articles']) {
    it(`appears on the pages of ${kind}`, async () => {
      const folder = join(contentDir, kind);
      let shown = 0;
      for (const name of await readdir(folder)) {
        const { changes = [] } = frontMatter(await readFile(join(folder, name), 'utf8'));
        if (!changes.length || shown === 5) continue;
        const text = await historyOf(`/${kind}/${name.replace(/\.md$/, '')}`);
        for (const { date, what } of changes) assert.ok(text.includes(`${dayOf(date)} ${what}`), `${name}: ${text}`);
        shown += 1;
      }
      assert.ok(shown > 0, 'an entry tells a change');
    });
  }

  it('appears on interaction pages, with the pair if the page has several', async () => {
    const folder = join(contentDir, 'interactions');
    let shown = 0;
    for (const name of (await readdir(folder)).filter((one) => one.endsWith('.yaml'))) {
      const { subject, rules = [] } = parse(await readFile(join(folder, name), 'utf8')) as {
        subject?: string;
        rules?: readonly { readonly changes?: readonly Told[] }[];
      };
      const changes = rules.flatMap((rule) => rule.changes ?? []);
      if (!subject || !changes.length || shown === 5) continue;
      const text = await historyOf(`/interactions/${subject}`);
      for (const { what } of changes)
        assert.ok(text.includes(rules.length > 1 ? `: ${what}` : what), `${name}: ${text}`);
      shown += 1;
    }
    assert.ok(shown > 0, 'a rule tells a change');
  });

  it('appears on the pages of a nutrient and of the medicines that deplete it', async () => {
    const entries = parse(await readFile(join(contentDir, 'interactions/depletions.yaml'), 'utf8')) as readonly {
      readonly class?: string;
      readonly nutrient: string;
      readonly changes?: readonly Told[];
    }[];
    const told = entries.filter(({ class: group, changes }) => group && changes).slice(0, 5);
    assert.ok(told.length > 0, 'a depletion tells a change');
    for (const { class: group = '', nutrient, changes = [] } of told) {
      for (const page of [group, nutrient]) {
        const text = await historyOf(`/interactions/${page}`);
        for (const { what } of changes) assert.ok(text.includes(what), `${page}: ${what}`);
      }
    }
  });
});
