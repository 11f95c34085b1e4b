/** Completes a flow: exchanges the code for tokens, and stores the connection. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { VendorError } from '../vendors/vendor-error.ts';
import { exchangeCode } from './client.ts';
import type { Completion } from './connection-types.ts';
import type { Programme } from './programme.ts';
import { expiryOf } from './refreshing.ts';
import { addRevocation } from './revocations.ts';
import type { Syncing } from './syncing.ts';
import { putConnection } from './tokens.ts';
import { vendorApi } from './vendor-api.ts';

/** Error code for a denial by the person, RFC 6749, 4.1.2.1. */
const DENIED = 'access_denied';

export const refusal = (error: string): Completion => ({ refused: error === DENIED ? 'by-person' : 'by-vendor' });

interface Code {
  readonly device: string;
  readonly code: string;
  readonly verifier: string;
}

/** Exchanges the code, registers the user if the vendor requires it, and stores the tokens. */
export const connecting =
  (parts: Syncing) =>
  async (programme: Programme, { device, code, verifier }: Code): Promise<Completion> => {
    const { vendor } = programme;
    const { db, secrets, now } = parts;
    try {
      const grant = await exchangeCode(programme, { code, verifier }, parts.fetch);
      const scopes = grant.scopes ?? vendor.scopes.map(({ scope }) => scope);
      const tokens = { access: grant.access, refresh: grant.refresh, user: grant.user };
      const expiresAt = expiryOf(grant, now());
      const leave = (em: EntityManager) => {
        const old = { tokens, scopes, expiresAt: expiresAt?.getTime() ?? null };
        return addRevocation({ em, secrets }, vendor.slug, { grant: old, now: now() });
      };
      const api = vendorApi(programme, parts.fetch, { tokens, scopes });
      const user = vendor.register
        ? await vendor.register(api).catch(async (error) => {
            await db.write(leave);
            throw error;
          })
        : tokens.user;
      const isKept = await db.write(async (em) => {
        const connection = { tokens: { ...tokens, user }, scopes, expiresAt, now: new Date(now()) };
        const kept = await putConnection({ em, secrets }, { device, vendor: vendor.slug }, connection);
        if (!kept) await leave(em);
        return kept;
      });
      return isKept ? 'connected' : 'bad-state';
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      parts.log.warn('wearable_connect_failed', { vendor: vendor.slug, why: error.kind, status: error.status });
      return { failed: error.kind };
    }
  };
