/** Defines the interface by which core authenticates callers and charges quotas. The keys plugin implements it. */

export type Principal =
  | { readonly kind: 'anonymous'; readonly address: string }
  | {
      readonly kind: 'key';
      readonly keyId: string;
      /** Identifies the holder: a replaced key and its replacements have the same one, and data are counted and stored by it. */
      readonly holderId: string;
      /** Empty when the key has all scopes. */
      readonly scopes: readonly string[];
      readonly isAdmin: boolean;
      readonly plan: string;
      readonly rpmLimit: number;
      readonly dailyLimit: number;
      readonly address: string;
    }
  /** The caller sent the bootstrap secret while no admin key exists. */
  | { readonly kind: 'bootstrap'; readonly address: string };

/** One fixed window of a quota: `used` counts this call, capped at limit + 1. */
export interface Bucket {
  readonly name: 'minute' | 'day';
  readonly limit: number;
  readonly used: number;
  readonly windowSeconds: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

export interface Gatekeeper {
  /** Returns the principal of a key. Throws one of the four 401 errors. */
  identify(rawKey: string, address: string): Promise<Principal>;
  /** Accepts the bootstrap secret, or throws 401 when it is wrong or locked. */
  bootstrap(secret: string | undefined, address: string): Promise<Principal>;
  /** Returns the keys that are no longer valid (deactivated or expired), so that their running requests are ended. */
  endedAmong(keyIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Counts one call in both buckets. Calls of admin keys are counted and never rejected. */
  charge(
    principal: Principal,
    routeId: string,
  ): Promise<{ readonly buckets: readonly Bucket[]; readonly enforced: boolean }>;
}
