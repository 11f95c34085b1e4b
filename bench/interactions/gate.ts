/**
 * Lists every rule of a class with the pairs that it reaches without and with the mechanism gate, the basis of those pairs, and
 * the twenty largest changes with their reasons.
 * Usage: node bench/interactions/gate.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { type DrugFacts, type DrugProperties, fitOf, propertiesOf } from '#plugins/interactions/drugs/properties.ts';
import {
  type InteractionBook,
  type InteractionServices,
  interactionsPlugin,
  readEntries,
} from '#plugins/interactions/index.ts';
import { BASES } from '#plugins/interactions/rules/grounds.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';

const LARGEST = 20;
const NAMED = 6;

/** Returns why a mechanism cannot apply to a medicine, from the medicine's properties. */
const reasonOf = (facts: DrugFacts): string => {
  const ways = facts.filter(({ property }) => property === 'eliminated_by').map(({ value }) => value);
  if (ways.length) return `removed by ${ways.toSorted().join(', ')}`;
  const [fact] = facts;
  if (!fact) return 'no way out named';
  if (fact.property === 'by_mouth') return 'never given by mouth';
  return `${fact.property.replaceAll('_', ' ')}: ${fact.value}`;
};

type Rule = InteractionBook['rules'][number];

const measure = (book: InteractionBook, properties: DrugProperties, rule: Rule) => {
  const left = new Set(rule.exceptions.map(({ drugSlug }) => drugSlug));
  const members = book.drugs.membersOf(rule.target.slug).filter(({ slug }) => !left.has(slug));
  const applied = book
    .pairsOf(rule.subject.slug)
    .flatMap((pair) =>
      pair.applied.filter((one) => one.rule.slug === rule.slug).map(({ grounds }) => ({ drug: pair.drug, grounds })),
    );
  const reached = new Set(applied.map(({ drug }) => drug.slug));
  const lost = members
    .filter(({ slug }) => !reached.has(slug))
    .map(({ slug, name }) => ({
      name,
      reason: reasonOf(fitOf(rule.entry.mechanism?.through ?? [], properties.get(slug) ?? []).facts),
    }));
  const counts = BASES.map((basis) => applied.filter(({ grounds }) => grounds.basis === basis).length);
  return { rule, before: members.length, after: applied.length, lost, counts };
};
type Measured = ReturnType<typeof measure>;

/** Formats the lost pairs: "removed by proteolysis: 46 (abatacept, adalimumab …)". */
const explain = ({ lost }: Measured): string =>
  [...Map.groupBy(lost, ({ reason }) => reason)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, of]) => {
      const names = of.slice(0, NAMED).map(({ name }) => name);
      return `${reason}: ${of.length} (${names.join(', ')}${of.length > NAMED ? ' …' : ''})`;
    })
    .join('; ');

const through = ({ rule }: Measured): string => rule.entry.mechanism?.through?.join(', ') ?? 'not known';

const print = (rows: readonly Measured[]): void => {
  console.log(`| rule | severity | works through | without | with | ${BASES.join(' | ')} |`);
  console.log(`|---|---|---|---|---|${BASES.map(() => '---|').join('')}`);
  for (const row of rows)
    console.log(
      `| ${row.rule.slug} | ${row.rule.entry.severity} | ${through(row)} | ${row.before} | ${row.after} | ${row.counts.join(' | ')} |`,
    );
  const sum = (of: (row: Measured) => number): number => rows.reduce((total, row) => total + of(row), 0);
  console.log(
    `\n${rows.length} rules of classes: ${sum(({ before }) => before)} pairs without the gate, ${sum(({ after }) => after)} with it.`,
  );
  console.log(`\nThe ${LARGEST} largest changes\n\n| rule | without | with | what is left out |\n|---|---|---|---|`);
  const largest = rows.toSorted((a, b) => b.lost.length - a.lost.length || (a.rule.slug < b.rule.slug ? -1 : 1));
  for (const row of largest.slice(0, LARGEST))
    console.log(`| ${row.rule.slug} | ${row.before} | ${row.after} | ${explain(row)} |`);
};

const dataDir = await mkdtemp(join(tmpdir(), 'ekb-bench-'));
const runtime = await boot({
  plugins: [keysPlugin, vocabularyPlugin, evidencePlugin, interactionsPlugin],
  role: 'serve',
  dotEnvPath: null,
  log: createLog('silent'),
  environment: { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' },
});
try {
  const book = await (runtime.servicesOf(interactionsPlugin) as InteractionServices).book();
  const entries = await runtime.db.read(readEntries);
  const properties = propertiesOf(entries.filter((row) => row.kind === 'property'));
  const rules = book.rules
    .filter(({ target }) => target.kind === 'class')
    .toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  print(rules.map((rule) => measure(book, properties, rule)));
  const first = book.pairs.map(({ applied: [applied] }) => applied);
  console.log(`\n| the answer of a pair rests on | pairs | of them “Do not combine” |\n|---|---|---|`);
  for (const basis of BASES) {
    const of = first.filter(({ grounds }) => grounds.basis === basis);
    const gravest = of.filter(({ rule }) => rule.entry.severity === 'contraindicated');
    console.log(`| ${basis} | ${of.length} | ${gravest.length} |`);
  }
} finally {
  await runtime.stop();
  await rm(dataDir, { recursive: true, force: true });
}
