/**
 * What plugins keep for a device, behind one face: nothing that is kept can be forgotten when a device goes or moves. Each
 * table that holds something of a person is named by one of them; a test puts a marker into every kind of such data and
 * fails for a table where it finds the marker and that nobody named.
 */
import type { EntityManager } from '@mikro-orm/postgresql';

export interface Holding {
  /** Of the plugin that keeps it. */
  readonly name: string;
  /** Tables with rows of a device. */
  readonly tables: readonly string[];
  /** What there is, in words and numbers for the person: only what there is any of. */
  counts(em: EntityManager, device: string): Promise<readonly HeldCount[]>;
  /** Members of `/api/account/export`, with everything in the clear. */
  exported(em: EntityManager, device: string): Promise<Readonly<Record<string, readonly unknown[]>>>;
  /** FHIR R4 resources of the same; [] where FHIR has no word for it. */
  resources(em: EntityManager, device: string): Promise<readonly FhirResource[]>;
  /** In the transaction of the whole erasure. */
  erase(em: EntityManager, device: string): Promise<void>;
  /** Makes what was `from`'s that of `to`, beside what `to` has. */
  move(em: EntityManager, way: { readonly from: string; readonly to: string }): Promise<void>;
  /** Once it is erased for good: what lies outside the database goes too. A kill before it leaves it to a sweep. */
  erased?(): Promise<void>;
}

export interface HeldCount {
  /** Such as "laboratory reports". */
  readonly what: string;
  readonly count: number;
}

export interface FhirResource {
  readonly resourceType: string;
  readonly id: string;
  readonly [member: string]: unknown;
}
