/** Reviews classes of medicines and their members for `npm run content:check`: the names that a text may use for them. */
import type { Offer, Reviewed } from '#core/content-check/reviewed.ts';
import type { ClassEntry } from './schemas.ts';

/** Returns the members of a class, including those of its narrower classes. */
const membersOf = (classes: readonly ClassEntry[], slug: string): ClassEntry['members'] =>
  classes
    .filter((one) => one.slug === slug || one.parents.includes(slug))
    .flatMap((one) => (one.slug === slug ? one.members : membersOf(classes, one.slug)));

const namesOf = ({ name, also = [] }: ClassEntry['members'][number]): string[] => [name, ...also];

export const reviewClasses = (classes: readonly ClassEntry[]): Reviewed => {
  const groups = classes.map(
    ({ slug, name, synonyms = [] }): Offer => ({
      ids: [`class:${slug}`],
      called: {
        names: [name, ...synonyms, ...membersOf(classes, slug).flatMap(namesOf)],
        classNames: [name, slug.replaceAll('-', ' '), ...synonyms],
        kind: 'medicine',
      },
    }),
  );
  const members = new Map(classes.flatMap((one) => one.members.map((member) => [member.name.toLowerCase(), member])));
  const drugs = [...members].map(
    ([key, member]): Offer => ({ ids: [`drug:${key}`], called: { names: namesOf(member), kind: 'medicine' } }),
  );
  return { kind: 'drug classes', entries: classes.length, offers: [...groups, ...drugs], names: [], passages: [] };
};
