/** Loads content/interactions/ into the database: rules and cautions by file, depletions, signals, forms and the tables. */
import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { readYaml } from '#core/content-file.ts';
import { bulkUpsert } from '#core/db/bulk.ts';
import { type Change, recordChanges } from '#core/db/change-log.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile, ContentSource, Context } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { readProperties, reviewProperties } from '../drugs/properties.ts';
import { readFloorTable, reviewFloor } from '../floor/floor-table.ts';
import type { InteractionServices } from '../services.ts';
import { readCautionTable, reviewCautions } from './caution-table.ts';
import { readRefs } from './cited-sources.ts';
import {
  checkClass,
  checkDrug,
  checkOne,
  checkRule,
  checkSources,
  checkSubject,
  drugNamed,
  type KnownNames,
  refuse,
} from './cross-check.ts';
import type { EntryRow } from './entries.ts';
import { ruleOfLabel } from './label-rules.ts';
import { readLabelTable, reviewLabels } from './label-table.ts';
import { readMechanisms, reviewMechanisms } from './mechanism-table.ts';
import { reviewDepletions, reviewForms, reviewRules, reviewSignals } from './review.ts';
import { DepletionList, FormList, InteractionFile, SignalFile } from './schemas.ts';
import type { Severity } from './severity-labels.ts';

const DEPLETIONS = 'interactions/depletions.yaml';
const SIGNALS = 'interactions/signals.yaml';
const FORMS = 'interactions/forms.yaml';
const LABELS = 'interactions/labels.tsv';
const PRACTICE = 'interactions/practice.tsv';
const CAUTIONS = 'interactions/cautions.tsv';
const FLOOR = 'interactions/floor.tsv';
const PROPERTIES = 'drugs/properties.tsv';
const MECHANISMS = 'interactions/mechanisms.tsv';
const RULE_FILE = /^interactions\/[a-z0-9-]+\.yaml$/;

type Entry = Pick<EntryRow, 'id' | 'kind' | 'subject' | 'data'> & { readonly file: string };

const digestOf = (data: unknown): string =>
  createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16);

const namesIn = async (
  { services, use }: Context<InteractionServices>,
  em: EntityManager,
  files: readonly ContentFile[],
): Promise<KnownNames> => {
  const { supplements, substances } = await use(vocabularyPlugin).terms(em);
  const cited = files.flatMap(({ text }) => [...text.matchAll(/\b(?:pmid|doi|nct):[^"'\s}]+/g)].map(([ref]) => ref));
  return { supplements, substances, drugs: await services.drugsIn(em), refs: await readRefs(em, cited) };
};

/** Returns the ids that other files already use, with the file of each. */
const readTaken = async (em: EntityManager, paths: readonly string[]): Promise<Map<string, string>> => {
  const rows = (await em.execute(
    'select id, file from interaction_entry where file not in (select jsonb_array_elements_text(?::jsonb))',
    [JSON.stringify(paths)],
  )) as unknown as { id: string; file: string }[];
  return new Map(rows.map(({ id, file }) => [id, file]));
};

interface Kept {
  readonly id: string;
  readonly kind: string;
  readonly digest: string;
  readonly changedAt: string;
  readonly severity: Severity;
}

const KEPT = `select id, kind, digest, changed_at as "changedAt", data->>'severity' as severity from interaction_entry
  where file in (select jsonb_array_elements_text(?::jsonb))`;

const changesOf = (entries: readonly Entry[], before: ReadonlyMap<string, Kept>): Change[] =>
  entries.flatMap(({ id, kind, subject, data }): Change[] => {
    if (kind !== 'rule' && kind !== 'caution') return [];
    const { severity } = data as { severity: Severity };
    const old = before.get(id)?.severity;
    if (old === severity) return [];
    const about = { subjectType: 'interaction', subjectId: id };
    if (!old) return [{ kind: 'interaction.created', ...about, data: { supplement: subject, new: { severity } } }];
    const values = { supplement: subject, old: { severity: old }, new: { severity } };
    return [{ kind: 'interaction.severity_changed', ...about, data: values }];
  });

/** Replaces the rows of the given files. A row whose content is equal keeps its time of change. */
const replaceRows = async (em: EntityManager, paths: readonly string[], entries: readonly Entry[]): Promise<void> => {
  const kept = (await em.execute(KEPT, [JSON.stringify(paths)])) as unknown as Kept[];
  const before = new Map(kept.map((row) => [row.id, row]));
  const now = new Date().toISOString();
  const rows = entries.map((entry) => {
    const digest = digestOf([entry.subject, entry.data]);
    const old = before.get(entry.id);
    return { ...entry, digest, changedAt: old?.digest === digest ? new Date(old.changedAt).toISOString() : now };
  });
  await em.execute('delete from interaction_entry where file in (select jsonb_array_elements_text(?::jsonb))', [
    JSON.stringify(paths),
  ]);
  await bulkUpsert(em, 'interaction_entry', ['id'], rows);
  await recordChanges(em, changesOf(entries, before));
};

const entriesOf = (file: ContentFile, taken: Map<string, string>, names: KnownNames): Entry[] => {
  const { subject, rules = [], cautions = [] } = readYaml(file, InteractionFile);
  checkSubject(file, ['subject'], subject, names);
  const times = new Map<string, number>();
  for (const [at, rule] of rules.entries()) {
    checkRule(file, at, rule, names);
    const other = taken.get(rule.slug);
    if (other) refuse(file, ['rules', at, 'slug'], `"${rule.slug}" stands in content/${other} already`);
    taken.set(rule.slug, file.path);
  }
  for (const [at, { sources }] of cautions.entries()) checkSources(file, ['cautions', at, 'sources'], sources, names);
  return [
    ...rules.map((data): Entry => ({ id: data.slug, kind: 'rule', subject, data, file: file.path })),
    ...cautions.map((data): Entry => {
      const name = `caution:${subject}:${data.condition}`;
      const nth = (times.get(name) ?? 0) + 1;
      times.set(name, nth);
      return { id: nth > 1 ? `${name}:${nth}` : name, kind: 'caution', subject, data, file: file.path };
    }),
  ];
};

export const ruleContent: ContentSource<InteractionServices> = {
  id: 'interactions',
  matches: (path) => RULE_FILE.test(path) && path !== DEPLETIONS && path !== SIGNALS && path !== FORMS,
  review: reviewRules,
  sync: async (context, files, gone, em) => {
    const names = await namesIn(context, em, files);
    const paths = [...files.map(({ path }) => path), ...gone];
    const taken = await readTaken(em, paths);
    const entries = files.flatMap((file) => entriesOf(file, taken, names));
    await replaceRows(em, paths, entries);
  },
  committed: (services) => services.forget(),
};

/** Builds a content source for a single file: it yields the entries of the file, or none when the file was deleted. */
const oneFile = (
  id: string,
  path: string,
  review: ContentSource['review'] & {},
  entriesIn: (file: ContentFile, names: KnownNames) => Entry[],
): ContentSource<InteractionServices> => ({
  id,
  matches: (other) => other === path,
  review,
  sync: async (context, files, _gone, em) => {
    const names = await namesIn(context, em, files);
    await replaceRows(
      em,
      [path],
      files.flatMap((file) => entriesIn(file, names)),
    );
  },
  committed: (services) => services.forget(),
});

/** Builds a rule for each supplement and medicine of a table; `origin` is the prefix of its slug. */
const rulesOfTable =
  (origin: 'label' | 'practice') =>
  (file: ContentFile, names: KnownNames): Entry[] => {
    const taken = new Set<string>();
    return readLabelTable(file, names).map(({ line, statement }): Entry => {
      const drug = drugNamed(names.drugs, statement.medicine);
      if (!drug) throw new ContentError(file.path, line, `no drug is called "${statement.medicine}"`);
      const id = `${origin}-${statement.supplement.slug}-${drug.slug}`;
      if (taken.has(id)) throw new ContentError(file.path, line, `${id} is listed twice`);
      taken.add(id);
      const data = ruleOfLabel(id, { ...statement, medicine: drug.name });
      return { id, kind: 'rule', subject: statement.supplement.slug, data, file: file.path };
    });
  };

/** Statements of FDA labels. */
export const labelContent = oneFile('labels', LABELS, reviewLabels, rulesOfTable('label'));
/** Warnings that pharmacists give in practice and for which we have no label that states them. */
export const practiceContent = oneFile('practice', PRACTICE, reviewLabels, rulesOfTable('practice'));

/** Cautions for pregnancy, breastfeeding and other states, where no rule file states them. */
export const cautionContent = oneFile('cautions', CAUTIONS, reviewCautions, (file, names) => {
  const times = new Map<string, number>();
  return readCautionTable(file, names).map(({ supplement, data }): Entry => {
    const name = `floor:${supplement}:${data.condition}`;
    const nth = (times.get(name) ?? 0) + 1;
    times.set(name, nth);
    return { id: nth > 1 ? `${name}:${nth}` : name, kind: 'caution', subject: supplement, data, file: file.path };
  });
});

/** Upper intakes that no reference intake gives, and topics that have not been studied. */
export const floorContent = oneFile('floor', FLOOR, reviewFloor, (file, names) =>
  readFloorTable(file, names).map(({ supplement, data }): Entry => {
    const id = `limits:${supplement}`;
    return { id, kind: 'floor', subject: supplement, data, file: file.path };
  }),
);
/**
 * Builds one entry for each subject of a table of facts, in the order of the file. Throws a ContentError for a duplicate fact.
 */
const factEntries = <Fact>(
  file: ContentFile,
  kind: 'property' | 'mechanism',
  rows: readonly { readonly line: number; readonly subject: string; readonly fact: Fact }[],
  keyOf: (fact: Fact) => string,
): Entry[] => {
  const taken = new Set<string>();
  for (const { line, subject, fact } of rows) {
    const key = `${subject} ${keyOf(fact)}`;
    if (taken.has(key)) throw new ContentError(file.path, line, `${key} is listed twice`);
    taken.add(key);
  }
  return [...Map.groupBy(rows, ({ subject }) => subject)].map(([subject, of]) => {
    const data = { facts: of.map(({ fact }) => fact) } as unknown as Entry['data'];
    return { id: `${kind}:${subject}`, kind, subject, data, file: file.path };
  });
};

/** Known properties of single medicines. A class rule does not apply to a member whose properties rule it out. */
export const propertyContent = oneFile('drug-properties', PROPERTIES, reviewProperties, (file, names) => {
  const slugs = new Map<string, string>();
  const slugOf = (medicine: string, line: number): string => {
    const known = slugs.get(medicine) ?? drugNamed(names.drugs, medicine)?.slug;
    if (!known) throw new ContentError(file.path, line, `no drug is called "${medicine}"`);
    slugs.set(medicine, known);
    return known;
  };
  const rows = readProperties(file).map(({ line, medicine, fact }) => ({
    line,
    subject: slugOf(medicine, line),
    fact,
  }));
  return factEntries(file, 'property', rows, ({ property, value }) => `${property} ${value}`);
});

/** Actions of supplements through which their rules work. */
export const mechanismContent = oneFile('supplement-mechanisms', MECHANISMS, reviewMechanisms, (file, names) => {
  const rows = readMechanisms(file, names).map(({ line, supplement, fact }) => ({ line, subject: supplement, fact }));
  return factEntries(
    file,
    'mechanism',
    rows,
    ({ action, target, constituent }) => `${action} ${target} ${constituent}`,
  );
});

const refuseDouble = (
  file: ContentFile,
  slugs: readonly string[],
  place: (at: number) => (string | number)[],
): void => {
  const at = slugs.findIndex((slug, nth) => slugs.indexOf(slug) !== nth);
  if (at >= 0) refuse(file, place(at), `"${slugs[at]}" is listed twice`);
};

export const depletionContent = oneFile('depletions', DEPLETIONS, reviewDepletions, (file, names) => {
  const list = readYaml(file, DepletionList);
  refuseDouble(
    file,
    list.map(({ slug }) => slug),
    (at) => [at, 'slug'],
  );
  return list.map((data, at) => {
    checkOne(file, [at], data, ['drug', 'class']);
    if (data.drug !== undefined) checkDrug(file, [at, 'drug'], data.drug, names);
    if (data.class !== undefined) checkClass(file, [at, 'class'], data.class, names);
    checkSubject(file, [at, 'nutrient'], data.nutrient, names);
    checkSources(file, [at, 'sources'], data.sources, names);
    return { id: `depletion:${data.slug}`, kind: 'depletion', subject: data.nutrient, data, file: file.path };
  });
});

/** Forms of supplements that differ from the others, and foods and products that contain one. */
export const formContent = oneFile('forms', FORMS, reviewForms, (file, names) => {
  const list = readYaml(file, FormList);
  refuseDouble(
    file,
    list.map(({ slug }) => slug),
    (at) => [at, 'slug'],
  );
  return list.map((data, at) => {
    for (const slug of [data.supplement, ...(data.also ?? [])]) checkSubject(file, [at, 'supplement'], slug, names);
    for (const [field, scope] of [['not', data.not] as const, ['only', data.only] as const]) {
      for (const slug of scope?.classes ?? []) checkClass(file, [at, field, 'classes'], slug, names);
      for (const drug of scope?.drugs ?? []) checkDrug(file, [at, field, 'drugs'], drug, names);
      for (const slug of scope?.supplements ?? []) checkSubject(file, [at, field, 'supplements'], slug, names);
    }
    return { id: `form:${data.slug}`, kind: 'form', subject: data.supplement, data, file: file.path };
  });
});

export const signalContent = oneFile('signals', SIGNALS, reviewSignals, (file, names) => {
  const { signals, ...about } = readYaml(file, SignalFile);
  refuseDouble(
    file,
    signals.map(({ supplement }) => supplement),
    (at) => ['signals', at, 'supplement'],
  );
  return signals.map((signal, at) => {
    const subject = signal.supplement;
    checkSubject(file, ['signals', at, 'supplement'], subject, names);
    return { id: `signal:${subject}`, kind: 'signal', subject, data: { ...signal, ...about }, file: file.path };
  });
});
