/**
 * The permission to hand something to a model outside this program. The ports refuse every call without one, so a caller
 * that does not think of consent reaches no model; and only this file makes permissions, so each says where it comes from.
 */
import { ModelError } from './model-error.ts';

export class Permission {
  /** Private by the language itself: an object of another make is recognised, whatever its members are. */
  readonly #basis: 'consent' | 'public_text';

  private constructor(basis: 'consent' | 'public_text') {
    this.#basis = basis;
  }

  /** For titles, abstracts and texts of this service: nothing in them is about a person who uses it. */
  static readonly publicText = new Permission('public_text');

  /** Returns the permission of a person who was asked, in words that name the model, or null without their consent. */
  static ofPerson(hasConsented: boolean): Permission | null {
    return hasConsented ? new Permission('consent') : null;
  }

  /** Throws ModelError `no_consent` for anything that was not made here. */
  static check(given: unknown, model: string): asserts given is Permission {
    if (typeof given === 'object' && given !== null && #basis in given) return;
    throw new ModelError('no_consent', `Nothing was handed to the ${model}: the person has not agreed to it`);
  }
}

/** What every call of a port carries. */
export interface HandOver {
  /** Null where the person was asked and did not agree: the port refuses the call. */
  readonly permission: Permission | null;
  readonly signal?: AbortSignal | undefined;
}
