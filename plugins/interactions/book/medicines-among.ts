/** Substances of the vocabulary that are medicines: what turned up hidden in products has the page of the medicine. */
import type { Drug, DrugBook } from '../drugs/drug-book.ts';
import type { Subject } from './rule-record.ts';

/** The medicine that a name in kebab case is, by its right name; null for a guess, a trade name or a class. */
const medicineCalled = (drugs: DrugBook, slug: string): Drug | null => {
  const known = drugs.drug(slug);
  if (known) return known;
  const found = drugs.resolve(slug.replaceAll('-', ' '));
  return found?.drug && (found.match_type === 'exact' || found.match_type === 'synonym') ? found.drug : null;
};

/** Null for supplements and foods: a supplement keeps its name where a medicine has the same, such as niacin. */
export const medicineOf = (
  { slug, kind, substanceKind }: Pick<Subject, 'slug' | 'kind' | 'substanceKind'>,
  drugs: DrugBook,
): Drug | null => (kind === 'substance' && substanceKind !== 'food' ? medicineCalled(drugs, slug) : null);

/** By the slug of the substance. */
export const medicinesAmong = (subjects: ReadonlyMap<string, Subject>, drugs: DrugBook): ReadonlyMap<string, Drug> =>
  new Map(
    [...subjects].flatMap(([slug, subject]): [string, Drug][] => {
      const drug = medicineOf(subject, drugs);
      return drug ? [[slug, drug]] : [];
    }),
  );
