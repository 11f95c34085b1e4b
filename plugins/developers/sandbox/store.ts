/**
 * Issues sandbox keys: free, self-service, valid for seven days; at most three a day per network address and one active key per
 * e-mail address.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { coreErrors } from '#core/errors.ts';
import { quotaAddress } from '#core/http/client-address.ts';
import type { Context } from '#core/plugin.ts';
import { keysPlugin } from '#plugins/keys/index.ts';

export const SANDBOX_DAYS = 7;
export const KEYS_A_DAY = 3;
const DAY_MS = 86_400_000;

export interface SandboxRequest {
  readonly appName: string;
  /** E-mail address; "" when none was given. */
  readonly email: string;
  readonly useCase: string;
  readonly address: string;
}

const HELD = `select
    (select count(*)::int from sandbox_key where address_hash = ?) as today,
    exists (select 1 from sandbox_key s where email_hash <> '' and email_hash = any(?::text[]) and expires_at > now()
      and not exists (select 1 from api_key k where k.id = s.key_id and not k.active)) as live`;
const INSERT = `insert into sandbox_key (key_id, email_hash, address_hash, created_at, expires_at)
  values (?, ?, ?, ?, ?)`;

/** Returns the whole seconds until the end of the UTC day. */
const untilMidnight = (now: Date): number => Math.max(1, Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000));

/** Builds the error for both limits; it does not reveal whether the e-mail address was the reason. */
const refusal = (now: Date): Error => {
  const retryAfter = untilMidnight(now);
  return coreErrors.quota_exceeded(
    { bucket: 'sandbox', used: KEYS_A_DAY + 1, limit: KEYS_A_DAY },
    {
      headers: { 'Retry-After': String(retryAfter) },
      body: {
        'violated-policies': ['sandbox'],
        retry_after: retryAfter,
        hint: `At most ${KEYS_A_DAY} sandbox keys a day for one network address, and one live key for one e-mail address.`,
      },
    },
  );
};

/**
 * Returns the hashes of the request. The hash of a network address changes each day, so that requests of different days cannot be
 * linked.
 */
const hashesOf = ({ secrets }: Context, { email, address }: SandboxRequest, now: Date) => {
  const known = email.trim().toLowerCase();
  const day = now.toISOString().slice(0, 10);
  return {
    emails: known ? secrets.pseudonyms('sandbox-email', known) : [''],
    address: secrets.pseudonym('sandbox-address', `${day} ${quotaAddress(address)}`),
  };
};

/**
 * Issues a key.
 * @throws AppError 429 when the network address has used its keys of today, or the e-mail address has an active key.
 */
export const issueSandboxKey = (context: Context, request: SandboxRequest) => {
  const now = new Date();
  const { emails, address } = hashesOf(context, request, now);
  const keys = context.use(keysPlugin);
  return context.db.write(async (em: EntityManager) => {
    // The lock is held until the transaction ends, so that the second of two concurrent requests sees the row of the first.
    await em.execute('lock table sandbox_key in share row exclusive mode');
    const [held] = (await em.execute(HELD, [address, `{${emails.join(',')}}`])) as unknown as readonly {
      today: number;
      live: boolean;
    }[];
    if (!held || held.today >= KEYS_A_DAY || held.live) throw refusal(now);
    const expiresAt = new Date(now.getTime() + SANDBOX_DAYS * DAY_MS);
    const made = await keys.store.insert(em, {
      name: request.appName,
      isAdmin: false,
      isSandbox: true,
      expiresAt,
      notes: request.useCase,
    });
    await em.execute(INSERT, [made.row.id, emails[0] ?? '', address, now, expiresAt]);
    return { ...made, expiresAt };
  });
};
