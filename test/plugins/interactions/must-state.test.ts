/**
 * Tests harms that must be stated for a supplement, with the minimum severity, from a list by a pharmacist and a
 * toxicologist.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { SEVERITIES } from '#plugins/interactions/index.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

interface Fact {
  readonly supplement: string;
  readonly topic: string;
  /** "none" for a topic without a severity, such as the upper intake. */
  readonly least: string;
  readonly says: string;
}
interface Topic {
  readonly topic: string;
  readonly status: string;
  readonly statement: string;
  readonly cautions: readonly {
    readonly severity: (typeof SEVERITIES)[number];
    readonly action: string;
    readonly effect: string;
    readonly recommendation: string;
  }[];
}
const { state, page, studied } = parse(readFileSync(new URL('must-state.yaml', import.meta.url), 'utf8')) as {
  readonly state: readonly Fact[];
  readonly page: readonly { readonly path: string; readonly says: string }[];
  readonly studied: Readonly<Record<string, readonly string[]>>;
};
const textOf = (html: string): string =>
  html
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');
const RANKS: readonly string[] = SEVERITIES;
const isAtLeast = (severity: string, least: string): boolean => RANKS.indexOf(severity) <= RANKS.indexOf(least);

describe('required harm statements', () => {
  let service: SharedService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });
  const floors = new Map<string, Promise<readonly Topic[]>>();
  const readFloor = async (slug: string): Promise<readonly Topic[]> => {
    const reply = await fetch(`${service.url}/api/supplements/${slug}/safety`);
    assert.equal(reply.status, 200, slug);
    return ((await reply.json()) as { topics: readonly Topic[] }).topics;
  };
  const floorOf = (slug: string): Promise<readonly Topic[]> => {
    const floor = floors.get(slug) ?? readFloor(slug);
    floors.set(slug, floor);
    return floor;
  };
  const sectionOf = async (path: string): Promise<string> => {
    const reply = await fetch(`${service.url}${path}`);
    assert.equal(reply.status, 200, path);
    const html = await reply.text();
    if (!path.startsWith('/supplements/')) return textOf(html);
    const [, rest = ''] = html.split(' aria-labelledby="safety">');
    return textOf(rest.split('</section>')[0] ?? '');
  };

  it('include at least 100 facts and 25 page texts', () => assert.ok(state.length >= 100 && page.length >= 25));

  it('appear in the safety data of the supplement and topic with at least the listed severity', async function () {
    this.timeout(120_000);
    const wrong: string[] = [];
    for (const { supplement, topic, least, says } of state) {
      const found = (await floorOf(supplement)).find((one) => one.topic === topic);
      const words = new RegExp(says, 's');
      const fits =
        least === 'none'
          ? words.test(found?.statement ?? '')
          : found?.cautions.some(
              ({ severity, effect, recommendation }) =>
                isAtLeast(severity, least) && words.test(`${effect} ${recommendation}`),
            );
      if (!fits) wrong.push(`${supplement}, ${topic}: ${found ? JSON.stringify(found.cautions) : 'not stated'}`);
    }
    assert.deepEqual(wrong, []);
  });

  it('appear on the page', async function () {
    this.timeout(120_000);
    const wrong: string[] = [];
    for (const { path, says } of page)
      if (!new RegExp(says, 's').test(await sectionOf(path))) wrong.push(`${path} does not say "${says}"`);
    assert.deepEqual(wrong, []);
  });

  it('do not include "not studied" when studies exist', async () => {
    const wrong: string[] = [];
    for (const [topic, slugs] of Object.entries(studied))
      for (const slug of slugs)
        if ((await floorOf(slug)).find((one) => one.topic === topic)?.status !== 'stated')
          wrong.push(`${slug}: ${topic}`);
    assert.deepEqual(wrong, []);
  });

  it('order cautions in a topic by severity, then avoid before other actions', async () => {
    for (const slug of ['iron', 'vitamin-a', 'lavender', '5-htp', 'probiotics'])
      for (const { topic, cautions } of await floorOf(slug)) {
        const ranks = cautions.map(
          ({ severity, action }) => SEVERITIES.indexOf(severity) * 2 + Number(action !== 'avoid'),
        );
        assert.deepEqual(
          ranks,
          ranks.toSorted((a, b) => a - b),
          `${slug}, ${topic}`,
        );
      }
  });

  it('name the group and the action for a topic that was not studied well enough', async () => {
    const children = (await floorOf('bacopa')).find(({ topic }) => topic === 'children');
    assert.equal(children?.status, 'not_studied');
    assert.match(
      children.statement,
      /in children have not been studied well enough.*does not make it safe.*Keep it where/,
    );
    const surgery = (await floorOf('bacopa')).find(({ topic }) => topic === 'surgery');
    assert.match(surgery?.statement ?? '', /around operations.*Tell the surgical team/);
  });

  it('appear once on a page, even when a note repeats a caution in other words', async () => {
    const cohosh = await sectionOf('/supplements/black-cohosh');
    assert.equal(cohosh.split('serious liver damage has been reported').length - 1, 1);
    const creatine = await sectionOf('/supplements/creatine');
    assert.equal(creatine.split('kidney tests can look worse').length - 1, 1);
  });
});
