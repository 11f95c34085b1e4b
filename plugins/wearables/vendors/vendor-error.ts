/** Errors of vendors, classified in a few kinds and without any text of the vendor. */

export type VendorErrorKind =
  /** The token is not accepted. */
  | 'unauthorized'
  /** The code or the refresh token is no longer valid. */
  | 'invalid_grant'
  /** Any other refusal: of our client, of a permission, or of a request. */
  | 'refused'
  /** 429, or 5xx. */
  | 'busy'
  | 'unreachable'
  | 'slow'
  | 'too_large'
  /** HTML, invalid JSON, or an unexpected shape. */
  | 'unreadable'
  | 'redirected';

export interface VendorErrorDetails {
  /** HTTP status, or the vendor's own status code. */
  readonly status?: number;
  /** Seconds that the vendor requested with Retry-After. */
  readonly retryAfterSeconds?: number | null;
}

export class VendorError extends Error {
  readonly kind: VendorErrorKind;
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;

  constructor(kind: VendorErrorKind, { status, retryAfterSeconds }: VendorErrorDetails = {}) {
    super(`A vendor is ${kind}${status === undefined ? '' : ` (${status})`}`);
    this.name = 'VendorError';
    this.kind = kind;
    this.status = status ?? null;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

/** Returns whether the error is transient, so that a retry can succeed. */
export const isPassing = ({ kind }: VendorError): boolean =>
  ['busy', 'unreachable', 'slow', 'redirected', 'unreadable', 'too_large'].includes(kind);

/** Sentences for people; the page puts the name of the vendor in front. */
export const VENDOR_ERROR_MESSAGES: Readonly<Record<VendorErrorKind, string>> = {
  unauthorized: 'does not accept what it gave us to read with. Connect it again.',
  invalid_grant: 'did not accept the answer that came back with you. Start again from here.',
  refused: 'refused the request of this server. Its operator can look into the settings of this vendor.',
  busy: 'is busy or has a fault. Try again later.',
  unreachable: 'cannot be reached. Try again later.',
  slow: 'took too long to answer. Try again later.',
  too_large: 'answered with more than we take.',
  unreadable: 'answered with something that cannot be read. Try again later.',
  redirected: 'sent us elsewhere, and we do not follow.',
};
