/** Finds the substances of the vocabulary that are medicines: a hidden ingredient of products shares the page of the medicine. */
import { isExplained } from '#plugins/vocabulary/index.ts';
import type { Drug, DrugBook } from '../drugs/drug-book.ts';
import type { Subject } from './rule-record.ts';

/** Returns the medicine with a name in kebab case, by its correct name; null for a guess, a trade name or a class. */
const medicineCalled = (drugs: DrugBook, slug: string): Drug | null => {
  const known = drugs.drug(slug);
  if (known) return known;
  const found = drugs.resolve(slug.replaceAll('-', ' '));
  return found?.drug && (found.match_type === 'exact' || found.match_type === 'synonym') ? found.drug : null;
};

/**
 * Returns the medicine that a subject is; null for supplements and foods, such as lithium orotate. A supplement takes precedence over a medicine of the
 * same name, such as niacin.
 */
export const medicineOf = (
  { slug, kind, substanceKind }: Pick<Subject, 'slug' | 'kind' | 'substanceKind'>,
  drugs: DrugBook,
): Drug | null => (kind === 'substance' && !isExplained(substanceKind) ? medicineCalled(drugs, slug) : null);

/** Returns the medicines by the slug of the substance. */
export const medicinesAmong = (subjects: ReadonlyMap<string, Subject>, drugs: DrugBook): ReadonlyMap<string, Drug> =>
  new Map(
    [...subjects].flatMap(([slug, subject]): [string, Drug][] => {
      const drug = medicineOf(subject, drugs);
      return drug ? [[slug, drug]] : [];
    }),
  );
