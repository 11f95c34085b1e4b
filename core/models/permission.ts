/**
 * The permission to send data to a model outside this program. The ports refuse every call without one, so a caller that ignores
 * consent cannot reach a model; only this module creates permissions, so each has a known basis.
 */
import { ModelError } from './model-error.ts';

export class Permission {
  /** A private field proves that this class created the object, whatever its other members are. */
  readonly #basis: 'consent' | 'public_text';

  private constructor(basis: 'consent' | 'public_text') {
    this.#basis = basis;
  }

  /** For titles, abstracts and texts of this service, which contain no personal data of its users. */
  static readonly publicText = new Permission('public_text');

  /** Returns the permission of a person who was asked with the model named, or null without consent. */
  static ofPerson(hasConsented: boolean): Permission | null {
    return hasConsented ? new Permission('consent') : null;
  }

  /** Throws ModelError `no_consent` for anything that this class did not create. */
  static check(given: unknown, model: string): asserts given is Permission {
    if (typeof given === 'object' && given !== null && #basis in given) return;
    throw new ModelError('no_consent', `Nothing was handed to the ${model}: the person has not agreed to it`);
  }
}

/** The options of every call to an embedding or reranking port. */
export interface HandOver {
  /** Null when the person did not consent: the port refuses the call. */
  readonly permission: Permission | null;
  readonly signal?: AbortSignal | undefined;
}
