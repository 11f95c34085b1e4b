/** The port through which core asks who is calling and whether they may go on. The keys plugin stands behind it. */

export type Principal =
  | { readonly kind: 'anonymous'; readonly address: string }
  | {
      readonly kind: 'key';
      readonly keyId: string;
      /** The same for a key and all that replaced it: what is the holder's is counted and kept by this. */
      readonly holderId: string;
      /** Empty: everything. */
      readonly scopes: readonly string[];
      readonly isAdmin: boolean;
      readonly plan: string;
      readonly rpmLimit: number;
      readonly dailyLimit: number;
      readonly address: string;
    }
  /** The caller showed the bootstrap secret while no admin key exists. */
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
  /** Finds the caller of a key. Throws one of the four 401 errors. */
  identify(rawKey: string, address: string): Promise<Principal>;
  /** Accepts the bootstrap header, or throws: 401 for a wrong secret or once it is locked. */
  bootstrap(secret: string | undefined, address: string): Promise<Principal>;
  /** Returns those of the keys that were ended since: what goes on for them ends too. */
  endedAmong(keyIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Counts one call in both buckets. Admin keys are counted and never refused. */
  charge(
    principal: Principal,
    routeId: string,
  ): Promise<{ readonly buckets: readonly Bucket[]; readonly enforced: boolean }>;
}
