import assert from 'node:assert/strict';
import { syncContent } from '#core/content-sync.ts';
import type { TestService } from '../../support/service.ts';
import { type MadeContent, makeContent, startOver } from './support.ts';

interface Mistake {
  readonly name: string;
  readonly path: string;
  readonly change: (text: string) => string;
  /** Text that the reported line contains. */
  readonly at: string | RegExp;
  readonly told: string | RegExp;
}

const replace =
  (from: string, to: string) =>
  (text: string): string => {
    const at = text.lastIndexOf(from);
    assert.ok(at >= 0, from);
    return text.slice(0, at) + to + text.slice(at + from.length);
  };
const append =
  (more: string) =>
  (text: string): string =>
    `${text.trimEnd()}\n${more}\n`;

const MISTAKES: readonly Mistake[] = [
  {
    name: 'an id that cannot be one',
    path: 'supplements/korvelia.md',
    change: replace('C9999999', 'c99'),
    at: 'c99',
    told: 'field ids.umls_cui must match pattern "^C[0-9]{7}$"',
  },
  {
    name: 'a dose whose least is more than its most',
    path: 'supplements/korvelia.md',
    change: replace('min: 600', 'min: 601'),
    at: 'min: 601',
    told: 'field dosing.0.amount: min is more than max',
  },
  {
    name: 'a topic that there is not',
    path: 'conditions/testitis.md',
    change: replace('topics: [sleep]', 'topics: [sleep, nonsense]'),
    at: 'nonsense',
    told: 'field topics.1: no topic is called "nonsense"',
  },
  {
    name: 'a category that there is not',
    path: 'conditions/testitis.md',
    change: replace('category: other', 'category: tests'),
    at: 'category: tests',
    told: /^field category must be equal to one of the allowed values: heart, /,
  },
  {
    name: 'too few questions',
    path: 'conditions/testitis.md',
    change: replace(', Is it green?, Is it flaky?', ''),
    at: 'ask:',
    told: 'field ask must NOT have fewer than 3 items',
  },
  {
    name: 'a food that is a supplement',
    path: 'substances.yaml',
    change: replace(
      'slug: korveliane\n  name: Korveliane\n  kind: food',
      'slug: korvelia\n  name: Korvelia\n  kind: food  # or none',
    ),
    at: '# or none',
    told: /^field \d+\.kind: "korvelia" is a supplement: it can be banned or restricted, and nothing else$/,
  },
  {
    name: 'a substance that is listed twice',
    path: 'substances.yaml',
    change: replace('slug: korveliane', 'slug: forbidweed  # again'),
    at: '# again',
    told: /^field \d+\.slug: substance "forbidweed" is listed twice$/,
  },
  {
    name: 'a warning without an authority',
    path: 'substances.yaml',
    change: replace('kind: food', 'kind: restricted  # by whom'),
    at: '# by whom',
    told: /^field \d+\.kind: a restricted substance needs an authority$/,
  },
  {
    name: 'the intake of a supplement that there is not',
    path: 'reference-intakes.yaml',
    change: replace('supplement: korvelia', 'supplement: unobtainium'),
    at: 'unobtainium',
    told: /^field \d+\.supplement: no supplement is called "unobtainium"$/,
  },
  {
    name: 'a redirect to what there is not',
    path: 'redirects.yaml',
    change: append('- {from: korvel-leaf, to: unobtainium, kind: supplement, reason: merged}'),
    at: 'unobtainium',
    told: /^field \d+\.to: no supplement is called "unobtainium"$/,
  },
  {
    name: 'a redirect away from a page',
    path: 'redirects.yaml',
    change: append('- {from: korvelia, to: zinc, kind: supplement, reason: merged}'),
    at: 'from: korvelia,',
    told: /^field \d+\.from: "korvelia" is the page of a supplement: it cannot lead elsewhere$/,
  },
  {
    name: 'a redirect that would hide a warning',
    path: 'redirects.yaml',
    change: append('- {from: forbidweed, to: zinc, kind: supplement, reason: merged}'),
    at: 'from: forbidweed',
    told: /^field \d+\.from: "forbidweed" is in substances\.yaml: a page of that name would hide the entry$/,
  },
  {
    name: 'a slug that leads to two pages',
    path: 'redirects.yaml',
    change: append('- {from: korvel-root, to: zinc, kind: supplement, reason: merged}'),
    at: 'from: korvel-root, to: zinc',
    told: /^field \d+\.from: slug "korvel-root" is listed twice$/,
  },
];

describe('mistake in the vocabulary', () => {
  let content: MadeContent;
  let service: TestService;
  before(async () => {
    content = await makeContent();
    service = await startOver(content);
  });
  after(async () => {
    await service?.stop();
    await content?.remove();
  });

  for (const { name, path, change, at, told } of MISTAKES) {
    it(`is reported with file, line and field: ${name}`, async () => {
      const before = await content.read(path);
      const after = change(before);
      await content.write(path, after);
      const line = after.split('\n').findLastIndex((text) => text.includes(String(at))) + 1;
      try {
        await assert.rejects(syncContent(service.runtime, content.folder), (error: Error) => {
          const [, where, words = ''] = /^(content\/\S+): (.*)$/.exec(error.message) ?? [];
          assert.equal(where, `content/${path}:${line}`);
          if (told instanceof RegExp) assert.match(words, told);
          else assert.equal(words, told);
          return true;
        });
      } finally {
        await content.write(path, before);
      }
      assert.deepEqual(await syncContent(service.runtime, content.folder), { changed: 0, gone: 0 });
    });
  }
});
