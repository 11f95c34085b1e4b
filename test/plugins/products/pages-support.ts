/** Made-up labels for the product page tests, read through the importer so that they pass its validation. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, PageInstance } from '#core/plugin.ts';
import { systemContext } from '#core/system-context.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import type { TestService } from '../../support/service.ts';
import { fixture, importPaths } from './support.ts';

/** A label with nested blends, missing amounts and statements. */
export const BLENDED = 900000010;
/** A label with one mineral, 100 mg of it, and marketing statements. */
export const STRONG = 900000020;
/** A label known only by its name, which includes an amount. */
export const NAMED = 900000001;
/** A label known only by a name without usable information. */
export const BARE = 900000002;

const quantity = (amount: number, unit: string) => [
  { servingSizeOrder: 1, servingSizeQuantity: 1, servingSizeUnit: 'Tablet(s)', operator: '=', quantity: amount, unit },
];

/** Imports the four labels. */
export const importLabels = async (service: TestService): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'ekb-labels-'));
  const made = JSON.parse(await readFile(fixture('dsld/labels/900000010.json'), 'utf8'));
  const [row] = made.ingredientRows;
  const strong = {
    ...made,
    id: STRONG,
    fullName: 'Strong Zinc <b>',
    upcSku: '',
    offMarket: 0,
    events: [],
    statements: [
      { type: 'Suggested/Recommended/Usage/Directions', notes: 'Take one tablet & water.' },
      { type: 'Precautions re: All Other', notes: 'Keep away from children.' },
      { type: 'General Statements: All Other Content', notes: 'Makes you feel like a champion.' },
    ],
    ingredientRows: [
      {
        ...row,
        name: 'Zinc',
        ingredientGroup: 'Zinc',
        category: 'mineral',
        uniiCode: null,
        forms: [],
        quantity: quantity(100, 'mg'),
      },
    ],
  };
  await writeFile(join(folder, 'strong.json'), JSON.stringify(strong));
  await importPaths(service, 'dsld', [
    fixture('dsld/ProductOverview_1.csv'),
    fixture('dsld/labels/900000010.json'),
    join(folder, 'strong.json'),
  ]);
  await rm(folder, { recursive: true });
};

export const pageOf = (id: string): Page => {
  const page = (productsPlugin.pages ?? []).find((one) => one.id === id);
  if (!page) throw new Error(`no page is called ${id}`);
  return page as Page;
};

export const contextOf = ({ runtime }: TestService) =>
  systemContext(runtime, productsPlugin, AbortSignal.timeout(60_000)) as never;

/** Returns every instance that a page lists. */
export const instancesOf = async (service: TestService, id: string): Promise<readonly PageInstance[]> => {
  const all: PageInstance[] = [];
  for await (const instance of pageOf(id).list?.(contextOf(service)) ?? []) all.push(instance);
  return all;
};

export const getPage = async ({ url }: TestService, path: string) => {
  const reply = await fetch(`${url}${path}`, { redirect: 'manual' });
  return {
    status: reply.status,
    location: reply.headers.get('location'),
    headers: reply.headers,
    html: await reply.text(),
  };
};

/** Returns the text of a page without tags and scripts. */
export const textOf = (html: string): string =>
  html
    .replace(/<script.*?<\/script>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ');

export const dataOf = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) => JSON.parse(json));
