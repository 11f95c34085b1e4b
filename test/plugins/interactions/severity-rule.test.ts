/**
 * Tests the written severity rule: the factors that it reads in a record, and their display in the API and on the
 * pages.
 */
import assert from 'node:assert/strict';
import { type InteractionBook, type InteractionServices, interactionsPlugin } from '#plugins/interactions/index.ts';
import type { RuleEntry } from '#plugins/interactions/rules/schemas.ts';
import {
  isUnexplained,
  severityByRule,
  severityReasons,
  stepsApart,
} from '#plugins/interactions/rules/severity-rule.ts';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { putContent } from './rule-content.ts';

const rated = (entry: Partial<RuleEntry>, slug = 'felodipine') => ({
  target: { kind: 'drug', slug },
  entry: {
    slug: 'a-b',
    with: { drug: slug },
    severity: 'moderate' as const,
    action: 'caution' as const,
    likelihood: 'likely' as const,
    effect: 'It is taken up a little later.',
    recommendation: 'Ask.',
    sources: [],
    ...entry,
  } satisfies RuleEntry,
});
const kinetic = { mechanism: { type: 'pharmacokinetic' as const } };
const levels = (entry: Partial<RuleEntry>, slug?: string): string[] =>
  severityReasons(rated(entry, slug)).map(({ factor, level }) => `${factor}: ${level}`);

describe('severity rule', () => {
  it('reads the worst outcome from the effect', () => {
    assert.deepEqual(levels({ effect: 'Both raise serotonin.' }), ['outcome: life_threatening']);
    assert.deepEqual(levels({ effect: 'A transplant may be rejected.' }), ['outcome: lost_protection']);
    assert.deepEqual(levels({ effect: 'Blood sugar can fall.' }), ['outcome: serious']);
    assert.deepEqual(levels({}), ['outcome: slight']);
  });

  it('reads the change in exposure from figures and reports when there is none', () => {
    const change = (effect: string): string | undefined => levels({ ...kinetic, effect })[1];
    assert.equal(change('The AUC rose 6-fold.'), 'exposure: strong');
    assert.equal(change('Levels fell by 60 %.'), 'exposure: moderate');
    assert.equal(change('Exposure was 20% lower.'), 'exposure: weak');
    assert.equal(change('It may act less.'), 'exposure: not_measured');
    // A figure on something else is not a figure on exposure.
    assert.equal(change('Of those asked, 90 % took both.'), 'exposure: not_measured');
  });

  it('raises the severity one step for a narrow therapeutic index only with a change in exposure', () => {
    const entry = { ...kinetic, effect: 'Levels fell by 60 %.' };
    assert.equal(severityByRule(rated(entry)), 'moderate');
    assert.equal(severityByRule(rated(entry, 'digoxin')), 'major');
    assert.deepEqual(levels({}, 'digoxin'), ['outcome: slight']);
  });

  it('never derives contraindicated or unknown', () => {
    assert.deepEqual(levels({ severity: 'contraindicated' }), ['stated: must_not', 'outcome: slight']);
    assert.deepEqual(levels({ severity: 'unknown' }), ['stated: not_known']);
    assert.equal(severityByRule(rated({ severity: 'contraindicated' })), 'minor');
  });

  it('accepts a contraindication stated by a label', () => {
    const label = (quote: string, section = 'drug_interactions') => ({
      severity: 'contraindicated' as const,
      sources: [{ authority: 'FDA label of x', address: 'https://dailymed.nlm.nih.gov/x', section, quote }],
    });
    for (const entry of [
      label('Coadministration is contraindicated.'),
      label('Patients must avoid grapefruit juice'),
      label('Herbal products.', 'contraindications'),
    ])
      assert.deepEqual([levels(entry)[0], stepsApart(rated(entry))], ['stated: label', 0]);
    assert.equal(levels(label('It is not recommended.'))[0], 'stated: must_not');
    assert.equal(severityByRule(rated({ ...label('It is contraindicated.'), severity: 'moderate' })), 'minor');
  });

  it('accepts the reason of an editor', () => {
    const entry = rated({ severity: 'major', severity_reason: 'Two deaths.' });
    assert.deepEqual(levels(entry.entry), ['stated: explained', 'outcome: slight']);
    assert.deepEqual([isUnexplained(entry), isUnexplained(rated({ severity: 'major' }))], [false, true]);
  });

  it('returns the steps between the entered and the derived severity', () => {
    assert.equal(stepsApart(rated({ severity: 'major' })), 2);
    assert.equal(stepsApart(rated({ severity: 'minor', effect: 'Both raise serotonin.' })), -2);
  });
});

describe('severity reasons', () => {
  const content = temporaryFolder();
  before(() => putContent(content));
  const base = useService(() => ({ contentDir: content.path() }));

  it('appear in the checker response and on the page of the pair', async () => {
    const { body } = await base.client
      .get('/api/interactions/check', { supplement: 'ginkgo', drug: 'warfarin' })
      .expect(200);
    assert.deepEqual(
      body.severity_reasons.map(({ factor }: { factor: string }) => factor),
      ['outcome'],
    );
    const html = await (await fetch(`${base.service.url}/interactions/ginkgo-warfarin`)).text();
    assert.ok(html.includes(body.severity_reasons[0].text));
    assert.match(html, /<a href="\/methodology#severity">/);
  });

  it('are explained on the methodology page', async () => {
    const html = await (await fetch(`${base.service.url}/methodology`)).text();
    assert.match(html, /<h2 id="severity">/);
    assert.match(html, /rises fivefold or more/);
  });
});

describe('severities of the starter content', () => {
  let service: SharedService;
  let book: InteractionBook;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
    book = await (service.runtime.servicesOf(interactionsPlugin) as InteractionServices).book();
  });

  it('are never contraindicated on theory alone unless an editor gave a reason', async function () {
    this.timeout(60_000);
    const list: { slug: string; supplement_slug: string; drug: string }[] = (
      await api(service)
        .get('/api/interactions')
        .query({ severity: 'contraindicated' })
        .set(...bearer(service.admin.key))
        .expect(200)
    ).body;
    assert.ok(list.length > 100);
    const wrong: string[] = [];
    for (const { slug, supplement_slug: supplement, drug } of list) {
      const { body } = await api(service)
        .get('/api/interactions/check')
        .query({ supplement, drug })
        .set(...bearer(service.admin.key))
        .expect(200);
      const isExplained = body.severity_reasons.some(({ level }: { level: string }) => level === 'explained');
      if (body.severity === 'contraindicated' && body.grounds.basis === 'theory' && !isExplained) wrong.push(slug);
    }
    assert.deepEqual(wrong, []);
  });

  it('are major when the class is contraindicated but the mechanism for the medicine is theory', async () => {
    const { body } = await api(service)
      .get('/api/interactions/check')
      .query({ supplement: 'st-johns-wort', drug: 'danicopan' })
      .set(...bearer(service.admin.key))
      .expect(200);
    if (body.grounds.basis !== 'theory') return;
    assert.equal(body.severity, 'major');
    assert.match(body.severity_reasons[0].text, /mechanism is theory/);
  });

  it('differ by two steps from the rule only with a reason', () => {
    assert.deepEqual(
      book.rules.filter(isUnexplained).map(({ slug, entry }) => `${slug}: ${entry.severity}`),
      [],
    );
  });
});
