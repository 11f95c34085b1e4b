/** Rows from which the drug book is built: each origin's data on one name. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import type { ClassEntry } from './schemas.ts';

/** `generic` names a substance, `also` is another name of one, `brand` a trade name of one or several. */
export type NameKind = 'generic' | 'also' | 'brand';

export interface DrugName {
  /** Unique within its origin. */
  readonly nameKey: string;
  readonly name: string;
  readonly kind: NameKind;
  /** Substances as the origin writes them, including salts. */
  readonly ingredients: readonly string[];
  /** "" if the origin gives none. */
  readonly rxcui: string;
  /** False only if the origin states that it is no longer sold. */
  readonly onMarket: boolean;
}

export interface NameRow extends DrugName {
  readonly origin: string;
}

export interface ClassRow extends Omit<ClassEntry, 'synonyms' | 'data_ids'> {
  readonly synonyms: readonly string[];
  readonly dataIds: readonly string[];
}

/** Inserts or overwrites names of one origin. */
export const saveNames = (em: EntityManager, origin: string, names: readonly DrugName[]): Promise<void> =>
  bulkUpsert(
    em,
    'drug_name',
    ['origin', 'nameKey'],
    names.map((name) => ({ origin, ...name })),
  );

/** Increments the revision, so that every process notices within a second that the names or classes changed. */
export const touchDrugs = (em: EntityManager): Promise<unknown> =>
  em.execute('update drug_revision set revision = revision + 1 where id = 1');

export const readRevision = async (em: EntityManager): Promise<string> => {
  const [row] = (await em.execute('select revision from drug_revision where id = 1')) as unknown as [
    { revision: unknown } | undefined,
  ];
  return String(row?.revision ?? '');
};

export const readNames = (em: EntityManager): Promise<NameRow[]> =>
  em.execute(`select origin, name_key as "nameKey", name, kind, ingredients, rxcui, on_market as "onMarket"
    from drug_name`) as unknown as Promise<NameRow[]>;

export const readClasses = (em: EntityManager): Promise<ClassRow[]> =>
  em.execute(`select slug, name, description, synonyms, atc, parents, data_ids as "dataIds", members
    from drug_class order by place`) as unknown as Promise<ClassRow[]>;
