/** Checks of content/interactions that no schema can express: unknown names, duplicates, sources that are not in the database. */
import { lineOfField } from '#core/content-file.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile } from '#core/plugin.ts';
import { medicineOf } from '../book/medicines-among.ts';
import type { Drug, DrugBook } from '../drugs/drug-book.ts';
import type { RuleEntry, RuleSource } from './schemas.ts';

type Place = readonly (string | number)[];

/** Names that an entry may use. */
export interface KnownNames {
  readonly supplements: ReadonlyMap<string, unknown>;
  readonly substances: ReadonlyMap<string, { readonly kind: string }>;
  readonly drugs: DrugBook;
  /** `pmid:…`, `doi:…`, `nct:…` of the sources in the database. */
  readonly refs: ReadonlySet<string>;
}

export const refuse = (file: ContentFile, place: Place, message: string): never => {
  throw new ContentError(file.path, lineOfField(file, place), `field ${place.join('.')}: ${message}`);
};

/** Returns the drug for a generic name in content, without guessing and without brands. */
export const drugNamed = (drugs: DrugBook, name: string): Drug | null => {
  const found = drugs.resolve(name);
  return found?.drug && (found.match_type === 'exact' || found.match_type === 'synonym') ? found.drug : null;
};

export const checkSubject = (file: ContentFile, place: Place, slug: string, names: KnownNames): void => {
  if (!names.supplements.has(slug) && !names.substances.has(slug))
    refuse(file, place, `no supplement or substance is called "${slug}"`);
  const substance = names.supplements.has(slug) ? undefined : names.substances.get(slug);
  if (substance && medicineOf({ slug, kind: 'substance', substanceKind: substance.kind }, names.drugs))
    refuse(file, place, `"${slug}" is a medicine: name it as the drug`);
};

export const checkDrug = (file: ContentFile, place: Place, name: string, names: KnownNames): void => {
  if (!drugNamed(names.drugs, name)) refuse(file, place, `no drug is called "${name}"`);
};

export const checkClass = (file: ContentFile, place: Place, slug: string, names: KnownNames): void => {
  if (!names.drugs.classes.has(slug)) refuse(file, place, `no drug class is called "${slug}"`);
};

/** Checks that exactly one of the given members is present, and returns its name. */
export const checkOne = (file: ContentFile, place: Place, given: object, members: readonly string[]): string => {
  const here = members.filter((member) => Object.hasOwn(given, member));
  if (here.length !== 1)
    refuse(file, place, `needs exactly one of ${members.join(', ')}; it has ${here.length ? here.join(', ') : 'none'}`);
  return here[0] ?? '';
};

export const checkWith = (file: ContentFile, place: Place, given: RuleEntry['with'], names: KnownNames): void => {
  const kind = checkOne(file, place, given, ['class', 'drug', 'supplement', 'food']);
  const at = [...place, kind];
  if (given.class !== undefined) checkClass(file, at, given.class, names);
  if (given.drug !== undefined) checkDrug(file, at, given.drug, names);
  if (given.supplement !== undefined) checkSubject(file, at, given.supplement, names);
  if (given.food !== undefined && !names.substances.has(given.food))
    refuse(file, at, `no food is called "${given.food}"`);
};

const checkSource = (file: ContentFile, place: Place, source: RuleSource, names: KnownNames): void => {
  checkOne(file, place, source, ['ref', 'pmid', 'authority', 'practice']);
  if (source.pmid !== undefined && source.title === undefined)
    refuse(file, place, 'a pmid needs the title that it was cited by');
  if (source.authority !== undefined && source.address === undefined)
    refuse(file, place, 'an authority needs the address of its page');
  if (source.ref !== undefined && !names.refs.has(source.ref.toLowerCase()))
    refuse(file, [...place, 'ref'], `the base holds no source "${source.ref}"`);
};

export const checkSources = (
  file: ContentFile,
  place: Place,
  sources: readonly RuleSource[],
  names: KnownNames,
): void => {
  for (const [at, source] of sources.entries()) checkSource(file, [...place, at], source, names);
};

/** Checks one rule: target, exceptions, sources. */
export const checkRule = (file: ContentFile, at: number, rule: RuleEntry, names: KnownNames): void => {
  const place = ['rules', at];
  checkWith(file, [...place, 'with'], rule.with, names);
  checkSources(file, [...place, 'sources'], rule.sources, names);
  for (const [nth, exception] of (rule.exceptions ?? []).entries()) {
    const here = [...place, 'exceptions', nth];
    if (rule.with.class === undefined) refuse(file, here, 'only a rule with a class has exceptions');
    checkDrug(file, [...here, 'drug'], exception.drug, names);
    checkSources(file, [...here, 'sources'], exception.sources ?? [], names);
  }
  for (const [nth, { drug, sources }] of (rule.studied ?? []).entries()) {
    const here = [...place, 'studied', nth];
    if (rule.with.class === undefined)
      refuse(file, here, 'only a rule with a class names the members that were studied');
    checkDrug(file, [...here, 'drug'], drug, names);
    checkSources(file, [...here, 'sources'], sources, names);
    if (!sources.some(({ ref, pmid }) => ref ?? pmid)) refuse(file, here, 'needs the study as ref or pmid');
  }
};
