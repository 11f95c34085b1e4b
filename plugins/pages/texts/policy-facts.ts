/** Provides the facts about this instance for the texts of content/pages, from its settings, code and database. */

import type { Config } from '#core/config.ts';
import { cookiesOf } from '#core/http/device.ts';
import { sessionCookiesOf } from '#core/http/session.ts';
import { searchLeavesMachine } from '#core/models/model-settings.ts';
import type { Context } from '#core/plugin.ts';
import { readStats } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { asText, type Facts } from './fill-in.ts';

/** Names of all facts that a text may use. */
export const FACT_NAMES = [
  'operator',
  'contact',
  'security_contact',
  'reviewer',
  'base_url',
  'keep_answers',
  'keep_feedback',
  'keep_voters',
  'keep_usage',
  'keep_devices',
  'language_model',
  'vision_model',
  'keep_backups',
  'vectors_elsewhere',
  'pictures_elsewhere',
  'https',
  'cookie_table',
  'limit_table',
  'sources',
  'supplements',
  'conditions',
  'pairs',
  'products',
  'labels_on_market',
  'source_kinds_table',
  'origins_table',
] as const;
type FactName = (typeof FACT_NAMES)[number];

const numberFormat = new Intl.NumberFormat('en-GB');
const number = (value: number): string => numberFormat.format(value);

const table = (caption: string, [head = [], ...rows]: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [`Table: ${caption}`, '', line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
};

const mail = (address: string): string => {
  if (!address) return '';
  return /^https?:/.test(address) ? `<${address}>` : `[${asText(address)}](mailto:${address.replace(/^mailto:/, '')})`;
};

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;

const readableBy = (isSecure: boolean): string =>
  `this site only (HttpOnly, SameSite=Lax${isSecure ? ', Secure' : ''}); no script`;

const cookieTable = (baseUrl: string): string =>
  table('Every cookie that this service can set', [
    ['Name', 'Set when', 'What it holds', 'Stays', 'Who can read it'],
    ...cookiesOf(baseUrl).map(({ name, seconds, isSecure }) => [
      `\`${name}\``,
      'you ask a question, rate an answer, vote on, choose or report a label picture, or upload or type laboratory values',
      'a random number of 256 bits; nothing about you',
      `${number(seconds / DAY_SECONDS)} days`,
      readableBy(isSecure),
    ]),
    ...sessionCookiesOf(baseUrl).map(({ name, seconds, isSecure }) => [
      `\`${name}\``,
      'you look at a laboratory report',
      name.endsWith('.sig')
        ? 'a signature, so that nobody can change the one above'
        : 'the number of the report that you looked at last; no value of it',
      `${number(seconds / HOUR_SECONDS)} hours`,
      readableBy(isSecure),
    ]),
  ]);

const PLANS = [
  ['Without a key, for each address', 'ANON'],
  ['Sandbox key', 'SANDBOX'],
  ['Free key', 'FREE'],
] as const;

export interface PlanLimits {
  readonly name: string;
  readonly minute: string;
  readonly day: string;
}

/** Returns the request limits of each plan, as this instance is configured. */
export const planLimits = (config: Config): readonly PlanLimits[] =>
  PLANS.map(([name, plan]) => ({
    name,
    minute: number(config.integer(`${plan}_RPM`)),
    day: number(config.integer(`${plan}_DAILY`)),
  }));

const limitTable = (config: Config): string =>
  table('Requests that this instance allows', [
    ['Who calls', 'A minute', 'A day'],
    ...planLimits(config).map(({ name, minute, day }) => [name, minute, day]),
  ]);

/** Returns a number of days in words; "" for 0. */
const daysOf = (count: number): string => (count ? `${number(count)} ${count === 1 ? 'day' : 'days'}` : '');

/** Returns the facts that depend only on the settings, which are constant for one process. */
const settingFacts = (config: Config) => {
  const text = (name: string): string => config.text(name);
  const baseUrl = text('BASE_URL');
  return {
    operator: asText(text('OPERATOR_NAME')),
    contact: mail(text('CONTACT_EMAIL')),
    security_contact: mail(text('SECURITY_CONTACT')),
    reviewer: asText(text('REVIEWER_NAME')),
    base_url: baseUrl,
    keep_answers: daysOf(config.integer('ANSWERS_KEEP_DAYS')),
    keep_feedback: daysOf(config.integer('FEEDBACK_KEEP_DAYS')),
    keep_voters: daysOf(config.integer('VOTERS_KEEP_DAYS')),
    keep_usage: daysOf(config.integer('USAGE_KEEP_DAYS')),
    keep_devices: daysOf(config.integer('DEVICE_KEEP_DAYS')),
    keep_backups: daysOf(config.optionalInteger('BACKUP_KEEP_DAYS') ?? 0),
    vision_model: text('LLM_BASE_URL') && text('VISION_MODEL') ? 'yes' : '',
    language_model: text('LLM_BASE_URL') && text('LLM_MODEL') ? 'yes' : '',
    vectors_elsewhere: searchLeavesMachine(config) ? 'yes' : '',
    pictures_elsewhere: text('S3_ENDPOINT') ? 'yes' : '',
    https: baseUrl.startsWith('https:') ? 'yes' : '',
    cookie_table: cookieTable(baseUrl),
    limit_table: limitTable(config),
  };
};

const KINDS: Readonly<Record<string, string>> = {
  pubmed_article: 'Articles in journals',
  systematic_review: 'Systematic reviews and meta-analyses',
  clinical_trial: 'Entries of trial registers',
  guideline: 'Guidelines',
  preprint: 'Preprints',
  regulatory: 'Documents of authorities',
  monograph: 'Monographs',
  label: 'Product labels',
  adverse_event: 'Reports of adverse events',
};

/** Readers' name and licence of each origin of records. An origin without an entry is shown under its identifier. */
const ORIGINS: Readonly<Record<string, readonly [string, string]>> = {
  content: ['Entries of this base’s editors', 'bibliographic facts, and summaries in our own words (CC BY 4.0)'],
  pubmed: ['PubMed, US National Library of Medicine', 'bibliographic records; abstracts belong to their publishers'],
  jats: ['Full texts in JATS, such as PubMed Central’s open-access subset', 'the licence that each article states'],
  ctgov: ['ClinicalTrials.gov, US National Library of Medicine', 'public; the register asks to be named'],
  nbib: ['Citation files in PubMed’s format', 'bibliographic records; abstracts belong to their publishers'],
  ris: ['Citation files in RIS', 'bibliographic records; abstracts belong to their publishers'],
};

const BY_ORIGIN = `select origin, count(*)::int as n from evidence_record r
  join evidence_source s on s.source_id = r.source_id where s.removed_at is null group by 1 order by 2 desc, 1`;

/** Returns the facts that are counted in the database, with current values. */
const figureFacts = async ({ db, use }: Context) => {
  const { supplements, conditions } = await use(vocabularyPlugin).terms();
  const stats = await db.read(readStats);
  const origins = (await db.read((em) => em.execute(BY_ORIGIN))) as unknown as { origin: string; n: number }[];
  const products = await use(productsPlugin).stats();
  return {
    sources: number(stats.total),
    supplements: number(supplements.size),
    conditions: number(conditions.size),
    pairs: number((await use(interactionsPlugin).pairs()).length),
    products: number(products.total),
    labels_on_market: number(products.on_market),
    source_kinds_table: table('Sources by kind; retracted ones are not counted', [
      ['Kind', 'Sources'],
      ...Object.entries(stats.byClass).map(([kind, n]) => [KINDS[kind] ?? kind, number(n)]),
    ]),
    origins_table: table('Records by where they came from; a source may have several', [
      ['From', 'Records', 'Rights'],
      ...origins.map(({ origin, n }) => {
        const [name, rights] = ORIGINS[origin] ?? [origin, 'as the file states'];
        return [name, number(n), rights];
      }),
    ]),
  };
};

/** Returns the facts for a text. The database is queried only if the text uses one of its figures. */
export const readFacts = async (context: Context, text: string): Promise<Facts> => {
  const settings = settingFacts(context.config);
  const names = [...text.matchAll(/\{\{(?:if )?([a-z_]+)\}\}/g)].map(([, name = '']) => name);
  if (names.every((name) => name in settings || ['else', 'end'].includes(name))) return settings;
  const facts: Record<FactName, string> = { ...settings, ...(await figureFacts(context)) };
  return facts;
};
