/** Assigns the addresses below /interactions/: one namespace for supplements, drugs, classes and pairs, without collisions. */
import type { Drug, DrugBook } from '../drugs/drug-book.ts';
import type { Subject } from './rule-record.ts';

export type Address =
  | { readonly kind: 'pair'; readonly subject: string; readonly drug: string }
  | { readonly kind: 'supplement' | 'drug' | 'class'; readonly slug: string }
  /** An address that redirects to another one. */
  | { readonly kind: 'moved'; readonly to: string };

interface Pairing {
  readonly subject: Subject;
  readonly drug: Drug;
}

interface Around {
  /** Supplements and substances in some rule or caution: their pages are listed. */
  readonly named: ReadonlySet<string>;
  /** Drugs that lower a nutrient. */
  readonly depleting: ReadonlySet<string>;
  readonly subjects: ReadonlyMap<string, Subject>;
  readonly drugs: DrugBook;
  /** Substances that are medicines: they use the medicine's page, and have no address of their own. */
  readonly medicines: ReadonlyMap<string, Drug>;
}

export interface Addresses {
  find(slug: string): Address | null;
  /** Returns the addresses that are listed: those to which some rule applies. */
  all(): Iterable<readonly [string, Address]>;
  pair(subject: string, drug: string): string;
  /** Returns the page of a supplement, substance, drug or class. */
  hubOf(kind: 'subject' | 'drug' | 'class', slug: string): string;
}

/** Path segments that the site itself uses here. */
const RESERVED = new Set(['check']);
/** Suffixes for medicines whose name is also that of a supplement. */
const ENDINGS = { drug: 'medicine', class: 'medicines' } as const;

/**
 * Assigns the addresses. A supplement has its slug; a drug or class has its slug, with "-medicine" or "-medicines" added if a
 * supplement uses that slug; a pair has both slugs, joined by "-with-" if the plain form is taken. A substance that is a medicine
 * does not reserve its slug.
 */
export const addressesOf = (pairings: readonly Pairing[], around: Around): Addresses => {
  const { named, depleting, drugs, subjects, medicines } = around;
  const listed = new Map<string, Address>();
  const taken = (slug: string): boolean => RESERVED.has(slug) || listed.has(slug);
  const isHeld = (slug: string): boolean => subjects.has(slug) && !medicines.has(slug);
  const hubOf: Addresses['hubOf'] = (kind, slug) => {
    if (kind === 'subject') return medicines.has(slug) ? hubOf('drug', medicines.get(slug)?.slug ?? slug) : slug;
    const clash = isHeld(slug) || RESERVED.has(slug) || (kind === 'class' && drugs.drug(slug) !== undefined);
    return clash ? `${slug}-${ENDINGS[kind]}` : slug;
  };
  for (const slug of [...named].filter(isHeld).sort()) listed.set(slug, { kind: 'supplement', slug });
  const reached = new Set([...pairings.map(({ drug }) => drug.slug), ...depleting]);
  for (const slug of [...reached].sort()) listed.set(hubOf('drug', slug), { kind: 'drug', slug });
  for (const slug of [...drugs.classes.keys()].sort()) {
    const address = hubOf('class', slug);
    if (!taken(address)) listed.set(address, { kind: 'class', slug });
  }
  const slugs = new Map<string, string>();
  for (const { subject, drug } of pairings) {
    const plain = `${subject.slug}-${drug.slug}`;
    const slug = taken(plain) ? `${subject.slug}-with-${drug.slug}` : plain;
    listed.set(slug, { kind: 'pair', subject: subject.slug, drug: drug.slug });
    slugs.set(`${subject.slug} ${drug.slug}`, slug);
  }
  return {
    find: (slug) => listed.get(slug) ?? unlisted(slug, { ...around, hubOf }),
    all: () => listed,
    pair: (subject, drug) => slugs.get(`${subject} ${drug}`) ?? `${subject}-${drug}`,
    hubOf,
  };
};

/** Resolves supplements and drugs to which no rule applies: their page states this, is served, and is not listed. */
const unlisted = (
  slug: string,
  { drugs, subjects, medicines, hubOf }: Pick<Around, 'drugs' | 'subjects' | 'medicines'> & Pick<Addresses, 'hubOf'>,
): Address | null => {
  const name = slug.replace(/-medicine$/, '');
  const drug = drugs.drug(slug) ?? drugs.drug(name);
  const hub = drug && hubOf('drug', drug.slug);
  if (drug && hub === slug) return { kind: 'drug', slug: drug.slug };
  // The medicine had the longer address while a substance used its name.
  if (hub && medicines.has(name)) return { kind: 'moved', to: hub };
  if (medicines.has(slug)) return { kind: 'moved', to: hubOf('subject', slug) };
  return subjects.has(slug) ? { kind: 'supplement', slug } : null;
};
