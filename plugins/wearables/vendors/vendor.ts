/** What a vendor of wearables is to us: where it is asked, how, for what, and how its answers become days. */
import type { DailyRow, MetricId, VendorSlug } from '../vitals.ts';

export interface VendorScope {
  /** As the vendor writes it. */
  readonly scope: string;
  /** What it is read for, for the person who is asked for it. */
  readonly why: string;
}

/** Addresses of a vendor; WEARABLE_ENDPOINTS may put others in their place. */
export interface VendorEndpoints {
  readonly issuer: string;
  readonly authorize: string;
  readonly token: string;
  /** "" where revoking is a call of the data interface. */
  readonly revoke: string;
  /** Base of paths, without a slash at its end. */
  readonly data: string;
}

export interface VendorClient {
  readonly id: string;
  readonly secret: string;
}

export interface VendorRequest {
  /** Under the base, with its slash. */
  readonly path: string;
  /** The data interface unless said otherwise. */
  readonly base?: 'data' | 'token' | 'revoke';
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Without the access token. */
  readonly isAnonymous?: boolean;
  /** Statuses that mean "there is nothing", such as 404; 204 always does. */
  readonly emptyAt?: readonly number[];
  /** Only the status counts; the answer is null. */
  readonly isBodyOfNoUse?: boolean;
}

/** One person's account at a vendor, while it is asked. */
export interface VendorApi {
  readonly client: VendorClient;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** The vendor's own name for the person, where the token came with one. */
  readonly user: string | null;
  /** Whether the person granted it. */
  has(scope: string): boolean;
  /**
   * The answer's JSON; null when there is none.
   * @throws VendorTrouble
   */
  ask(request: VendorRequest): Promise<unknown>;
}

/** Both days included, `YYYY-MM-DD`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Where a vendor's token endpoint is not what RFC 6749 says. */
export interface TokenDialect {
  /** Puts into the form what proves who we are. */
  prove(form: URLSearchParams, client: VendorClient, ask: VendorApi['ask']): Promise<void>;
  /** The vendor's JSON as RFC 6749 has it: a status, and the body of a token or of an error. */
  translate(json: unknown): { readonly status: number; readonly body: Readonly<Record<string, unknown>> };
}

export interface Vendor {
  readonly slug: VendorSlug;
  readonly name: string;
  /** What it is read for: shown before the person leaves for the vendor. */
  readonly what: string;
  /** `OURA` in OURA_CLIENT_ID. */
  readonly settingPrefix: string;
  readonly endpoints: VendorEndpoints;
  readonly scopes: readonly VendorScope[];
  /** A space, where it is not said. */
  readonly scopeSeparator?: ',';
  readonly clientAuth: 'body' | 'basic';
  /** Whether the PKCE challenge goes to the authorization endpoint, and its verifier to the token endpoint. */
  readonly sendsChallenge: boolean;
  readonly authorizeParameters?: Readonly<Record<string, string>>;
  readonly dialect?: TokenDialect;
  /** What its days may have. */
  readonly metrics: readonly MetricId[];
  /** Its days come by themselves, to a route; nothing can be fetched. */
  readonly isPushed?: boolean;
  /** How far back it answers; half a year is asked for where it is not said. */
  readonly reachesBackDays?: number;
  readonly hasEnded?: { readonly since: string; readonly instead: VendorSlug };
  /** The person's name in a token response. */
  userOf?(tokenResponse: Readonly<Record<string, unknown>>): string | null;
  /** What has to happen once before there are data. Answers the person's name where that is how it is learnt. */
  register?(api: VendorApi): Promise<string | null>;
  /** All days of a span that have a metric: all of it or, by VendorTrouble, nothing. */
  fetchDays(api: VendorApi, span: Span): Promise<readonly DailyRow[]>;
  /** What a vendor sent by itself, for each person of whom there is something. */
  readPush?(body: unknown): ReadonlyMap<string, readonly DailyRow[]>;
  /** Of the same: people who ended there what they had granted. */
  readLeavers?(body: unknown): readonly string[];
  /** Ends what the person granted. */
  revoke(api: VendorApi): Promise<void>;
}
