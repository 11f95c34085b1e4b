/** Loads content/drugs/ into the database: classes, names of the Orange Book, other names. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { lineOfField, readYaml } from '#core/content-file.ts';
import { bulkUpsert } from '#core/db/bulk.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { substancesIn } from './active-moiety.ts';
import { type DrugName, saveNames, touchDrugs } from './drug-names.ts';
import type { DrugServices } from './drug-services.ts';
import { reviewClasses } from './review.ts';
import { type ClassEntry, ClassList, type OtherName, OtherNames } from './schemas.ts';

const refuse = (file: ContentFile, pointer: readonly (string | number)[], mistake: string): never => {
  throw new ContentError(file.path, lineOfField(file, pointer), `field ${pointer.join('.')}: ${mistake}`);
};

/** Checks that slugs are unique, that parents exist, and that no class contains itself. */
const checkClasses = (file: ContentFile, classes: readonly ClassEntry[]): void => {
  const parentsOf = new Map(classes.map(({ slug, parents }) => [slug, parents]));
  const isAbove = (slug: string, wanted: string, seen: readonly string[] = []): boolean =>
    (parentsOf.get(slug) ?? []).some(
      (parent) => parent === wanted || (!seen.includes(parent) && isAbove(parent, wanted, [...seen, parent])),
    );
  classes.forEach(({ slug, parents }, at) => {
    if (classes.findIndex((other) => other.slug === slug) !== at)
      refuse(file, [at, 'slug'], `class "${slug}" is listed twice`);
    const unknown = parents.findIndex((parent) => !parentsOf.has(parent));
    if (unknown >= 0) refuse(file, [at, 'parents', unknown], `there is no class "${parents[unknown]}"`);
    if (isAbove(slug, slug)) refuse(file, [at, 'parents'], `class "${slug}" lies within itself`);
  });
};

const readClassFile = (file: ContentFile) => {
  const classes = readYaml(file, ClassList);
  checkClasses(file, classes);
  return classes;
};

export const classContent: ContentSource<DrugServices> = {
  id: 'drug-classes',
  matches: (path) => path === 'drugs/classes.yaml',
  review: (file) => reviewClasses(readClassFile(file)),
  sync: async (_context, [file], _gone, em) => {
    const classes = file ? readClassFile(file) : [];
    await em.execute('delete from drug_class');
    await bulkUpsert(
      em,
      'drug_class',
      ['slug'],
      classes.map(({ synonyms = [], data_ids, ...rest }, place) => ({ ...rest, place, synonyms, dataIds: data_ids })),
    );
    await touchDrugs(em);
  },
  committed: (services) => services.forgetDrugs(),
};

const replaceOrigin = async (em: EntityManager, origin: string, names: readonly DrugName[]): Promise<void> => {
  await em.execute('delete from drug_name where origin = ?', [origin]);
  await saveNames(em, origin, names);
  await touchDrugs(em);
};

const HEADER = 'ingredients\ttrade_name\ttypes';

/** Parses the rows of names.tsv; comment lines begin with #. */
const namesOf = (file: ContentFile): DrugName[] => {
  const names: DrugName[] = [];
  file.text.split(/\r?\n/).forEach((line, at) => {
    if (line === '' || line.startsWith('#') || line === HEADER) return;
    const cells = line.split('\t');
    const [ingredients = '', name = '', types = ''] = cells;
    if (!ingredients || !name || cells.length !== 3)
      throw new ContentError(file.path, at + 1, 'three columns are needed: ingredients, trade name, types');
    names.push({
      nameKey: `${ingredients}|${name}`,
      name,
      kind: 'brand',
      ingredients: substancesIn(ingredients),
      rxcui: '',
      onMarket: /\b(?:RX|OTC)\b/.test(types),
    });
  });
  return names;
};

export const nameContent: ContentSource<DrugServices> = {
  id: 'drug-names',
  matches: (path) => path === 'drugs/names.tsv',
  sync: async (_context, [file], _gone, em) => {
    await replaceOrigin(em, 'content:names', file ? namesOf(file) : []);
  },
  committed: (services) => services.forgetDrugs(),
};

/** Reads other-names.yaml. Throws a ContentError if an entry repeats a name that the file already gives to that medicine. */
const readOtherNames = (file: ContentFile): DrugName[] => {
  const entries = readYaml(file, OtherNames);
  const seen = new Set<string>();
  return entries.flatMap((entry, at) => {
    const names = namesInEntry(entry);
    for (const { nameKey } of names) {
      if (seen.has(nameKey))
        refuse(file, [at, 'name'], `"${entry.name}" has the name "${nameKey.split('|')[1]}" twice`);
      seen.add(nameKey);
    }
    return names;
  });
};

const namesInEntry = ({ name, ingredients = [name], rxcui = '', also = [], brands = [] }: OtherName): DrugName[] => {
  const row = (text: string, kind: DrugName['kind']): DrugName => ({
    nameKey: `${name}|${text}`,
    name: text,
    kind,
    ingredients,
    rxcui: kind === 'generic' ? rxcui : '',
    onMarket: true,
  });
  return [row(name, 'generic'), ...also.map((text) => row(text, 'also')), ...brands.map((text) => row(text, 'brand'))];
};

export const otherNameContent: ContentSource<DrugServices> = {
  id: 'drug-other-names',
  matches: (path) => path === 'drugs/other-names.yaml',
  review: (file) => {
    const entries = readOtherNames(file).filter(({ kind }) => kind === 'generic').length;
    return { kind: 'medicine names', entries, offers: [], names: [], passages: [] };
  },
  sync: async (_context, [file], _gone, em) => {
    await replaceOrigin(em, 'content:other-names', file ? readOtherNames(file) : []);
  },
  committed: (services) => services.forgetDrugs(),
};
