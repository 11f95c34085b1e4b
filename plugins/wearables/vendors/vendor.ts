/** Interface of a vendor of wearables: its endpoints, authorisation, scopes, and the conversion of responses to days. */
import type { DailyRow, MetricId, VendorSlug } from '../vitals.ts';

export interface VendorScope {
  /** As the vendor writes it. */
  readonly scope: string;
  /** Purpose, shown to the person who is asked for the scope. */
  readonly why: string;
}

/** Base URLs of a vendor; WEARABLE_ENDPOINTS may override them. */
export interface VendorEndpoints {
  readonly issuer: string;
  readonly authorize: string;
  readonly token: string;
  /** "" if revocation is a call of the data API. */
  readonly revoke: string;
  /** Base of paths, without a trailing slash. */
  readonly data: string;
}

export interface VendorClient {
  readonly id: string;
  readonly secret: string;
}

export interface VendorRequest {
  /** Path under the base, with a leading slash. */
  readonly path: string;
  /** Defaults to the data API. */
  readonly base?: 'data' | 'token' | 'revoke';
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Whether to omit the access token. */
  readonly isAnonymous?: boolean;
  /** Statuses that mean that there are no data, such as 404; 204 always does. */
  readonly emptyAt?: readonly number[];
  /** Whether to ignore the body; the result is then null. */
  readonly isBodyOfNoUse?: boolean;
}

/** One person's account at a vendor, for requests to its API. */
export interface VendorApi {
  readonly client: VendorClient;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** The vendor's own identifier of the user, if the token came with one. */
  readonly user: string | null;
  /** Returns whether the person granted the scope. */
  has(scope: string): boolean;
  /**
   * Sends a request. Returns the JSON of the response; null when there is none.
   * @throws VendorError
   */
  ask(request: VendorRequest): Promise<unknown>;
}

/** Span of days, both inclusive, `YYYY-MM-DD`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Deviations of a vendor's token endpoint from RFC 6749. */
export interface TokenDialect {
  /** Adds the client authentication to the form. */
  prove(form: URLSearchParams, client: VendorClient, ask: VendorApi['ask']): Promise<void>;
  /** Converts the vendor's JSON to the form of RFC 6749: a status, and the body of a token or of an error. */
  translate(json: unknown): { readonly status: number; readonly body: Readonly<Record<string, unknown>> };
}

export interface Vendor {
  readonly slug: VendorSlug;
  readonly name: string;
  /** Data that are read, shown before the person is redirected to the vendor. */
  readonly what: string;
  /** `OURA` in OURA_CLIENT_ID. */
  readonly settingPrefix: string;
  readonly endpoints: VendorEndpoints;
  readonly scopes: readonly VendorScope[];
  /** Defaults to a space. */
  readonly scopeSeparator?: ',';
  readonly clientAuth: 'body' | 'basic';
  /** Whether the PKCE challenge is sent to the authorization endpoint, and its verifier to the token endpoint. */
  readonly sendsChallenge: boolean;
  readonly authorizeParameters?: Readonly<Record<string, string>>;
  readonly dialect?: TokenDialect;
  /** Metrics that its days may have. */
  readonly metrics: readonly MetricId[];
  /** Its days are pushed to a route; nothing can be fetched. */
  readonly isPushed?: boolean;
  /** How many days back data are available; the default is half a year. */
  readonly reachesBackDays?: number;
  readonly hasEnded?: { readonly since: string; readonly instead: VendorSlug };
  /** Returns the user's identifier in a token response. */
  userOf?(tokenResponse: Readonly<Record<string, unknown>>): string | null;
  /**
   * Performs the registration that some vendors require before data are available. Returns the user's identifier if the
   * registration provides it.
   */
  register?(api: VendorApi): Promise<string | null>;
  /** Fetches all days of a span that have a metric: completely, or not at all by a VendorError. */
  fetchDays(api: VendorApi, span: Span): Promise<readonly DailyRow[]>;
  /** Parses pushed data. Returns the days of each user. */
  readPush?(body: unknown): ReadonlyMap<string, readonly DailyRow[]>;
  /** Parses pushed data. Returns the users who revoked their grant at the vendor. */
  readLeavers?(body: unknown): readonly string[];
  /** Revokes the grant. */
  revoke(api: VendorApi): Promise<void>;
}
