/**
 * Common interface to the data that plugins store for a device, so that none of it is missed when a device is erased or moved.
 * Each table with personal data is named by a holding; a test writes a marker into every kind of such data, and fails if it finds
 * the marker in a table that no holding names.
 */
import type { EntityManager } from '@mikro-orm/postgresql';

export interface Holding {
  /** Name of the plugin that stores the data. */
  readonly name: string;
  /** Tables with rows of a device. */
  readonly tables: readonly string[];
  /** Returns the kinds of data and their numbers for display; kinds without data are omitted. */
  counts(em: EntityManager, device: string): Promise<readonly HeldCount[]>;
  /** Returns the members of `/api/account/export`, with everything decrypted. */
  exported(em: EntityManager, device: string): Promise<Readonly<Record<string, readonly unknown[]>>>;
  /** Returns FHIR R4 resources for the same data; [] if FHIR cannot express it. */
  resources(em: EntityManager, device: string): Promise<readonly FhirResource[]>;
  /** Erases the data, in the transaction of the whole erasure. */
  erase(em: EntityManager, device: string): Promise<void>;
  /** Moves the data of `from` to `to`, in addition to the data that `to` has. */
  move(em: EntityManager, way: { readonly from: string; readonly to: string }): Promise<void>;
  /**
   * Deletes data outside the database once the erasure is committed. If the process is killed before that, a sweep deletes it.
   */
  erased?(): Promise<void>;
}

export interface HeldCount {
  /** Label of the kind of data, such as "laboratory reports". */
  readonly what: string;
  readonly count: number;
}

export interface FhirResource {
  readonly resourceType: string;
  readonly id: string;
  readonly [member: string]: unknown;
}
