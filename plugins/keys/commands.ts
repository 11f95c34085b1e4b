import { parseArgs } from 'node:util';
import { AppError } from '#core/errors.ts';
import { scopeNames } from '#core/http/scopes.ts';
import type { Command } from '#core/plugin.ts';
import type { KeyRow } from './key-store.ts';
import { KEPT_PARTS, type KeptPart } from './revocation.ts';
import { MAX_GRACE_SECONDS } from './schemas.ts';
import type { KeyServices } from './services.ts';

const USAGE =
  'keys create --name <name> [--admin] [--rpm <n>] [--daily <n>] [--scopes <a,b>] | keys list | keys rotate <id> [--grace <seconds>] | keys deactivate <id> [--keep successors,admin_keys,webhooks] [--since <time>] | keys activate <id>';

const create = async (services: KeyServices, args: readonly string[], out: (line: string) => void): Promise<number> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      name: { type: 'string' },
      admin: { type: 'boolean' },
      rpm: { type: 'string' },
      daily: { type: 'string' },
      scopes: { type: 'string' },
    },
  });
  const number = (text: string | undefined): number | null =>
    text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
  const scopes = (values.scopes ?? '').split(',').filter(Boolean);
  const unknown = scopes.find((scope) => !(scopeNames as readonly string[]).includes(scope));
  if (unknown) {
    out(`There is no scope "${unknown}": ${scopeNames.join(', ')}.`);
    return 2;
  }
  if (!values.name || (values.rpm && !number(values.rpm)) || (values.daily && !number(values.daily))) {
    out(`usage: npm run ${USAGE}`);
    return 2;
  }
  const { row, raw, ownerSecret } = await services.store.create({
    name: values.name.slice(0, 100),
    isAdmin: values.admin === true,
    rpmLimit: number(values.rpm),
    dailyLimit: number(values.daily),
    scopes,
  });
  out(raw);
  out(
    `${row.id} (${row.plan}, ${row.rpmLimit} a minute, ${row.dailyLimit} a day). Store this key now. It is shown only once.`,
  );
  out(`${ownerSecret} is the secret of its owner, to rotate or end it. Keep it apart from the key.`);
  return 0;
};

const stateOf = ({ active, expiresAt }: KeyRow): string => {
  if (!active) return 'deactivated';
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : 'active';
};

const list = async (services: KeyServices, out: (line: string) => void): Promise<number> => {
  const rows = await services.store.list();
  for (const row of rows) {
    out(
      [
        row.id,
        row.prefix,
        row.plan,
        stateOf(row),
        `created ${row.createdAt.toISOString()}`,
        `used ${row.lastUsedAt?.toISOString() ?? 'never'}`,
        `ends ${row.expiresAt?.toISOString() ?? 'never'}`,
        row.name,
      ].join('  '),
    );
  }
  if (!rows.length) out('No key exists yet.');
  return 0;
};

const rotate = async (services: KeyServices, args: readonly string[], out: (line: string) => void): Promise<number> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { grace: { type: 'string', default: '86400' } },
  });
  const [id = '', more] = positionals;
  if (!id || more || !/^\d{1,7}$/.test(values.grace) || Number(values.grace) > MAX_GRACE_SECONDS) {
    out(`usage: npm run ${USAGE}`);
    return 2;
  }
  const { before, row, raw } = await services.store.rotate(id, Number(values.grace), null);
  out(raw);
  out(
    `${row.id} follows ${id}, which ends at ${before.expiresAt?.toISOString()}. Store this key now. It is shown only once.`,
  );
  return 0;
};

const deactivate = async (
  services: KeyServices,
  args: readonly string[],
  out: (line: string) => void,
): Promise<number> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { keep: { type: 'string', default: '' }, since: { type: 'string' } },
  });
  const [id = '', more] = positionals;
  const keep = values.keep.split(',').filter(Boolean) as KeptPart[];
  const since = values.since ? new Date(values.since) : null;
  const isWrong = keep.some((part) => !KEPT_PARTS.includes(part)) || Number.isNaN(since?.getTime() ?? 0);
  if (!id || more || isWrong) {
    out(`usage: npm run ${USAGE}`);
    return 2;
  }
  const { row, ended, issuedLeft } = await services.store.deactivate(id, { keep, since });
  out(`${row.id} is deactivated.`);
  for (const [part, ids] of Object.entries(ended)) {
    const others = ids.filter((one) => one !== id);
    if (others.length) out(`Ended with it (${part}): ${others.join(', ')}`);
  }
  if (issuedLeft)
    out(`Keys that it issued and that still work: ${issuedLeft}. --since <time> ends those of a time on.`);
  return 0;
};

const activate = async (services: KeyServices, id: string, out: (line: string) => void): Promise<number> => {
  const row = await services.store.activate(id);
  out(`${row.id} works again, and what ended with it.`);
  return 0;
};

export const keysCommand: Command<KeyServices> = {
  id: 'keys',
  summary: 'create, list, rotate, deactivate and activate API keys',
  usage: USAGE,
  run: async ({ services }, [action, ...rest], out) => {
    try {
      if (action === 'create') return await create(services, rest, out);
      if (action === 'list') return await list(services, out);
      if (action === 'rotate') return await rotate(services, rest, out);
      if (action === 'deactivate') return await deactivate(services, rest, out);
      if (action === 'activate' && rest[0]) return await activate(services, rest[0], out);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      out(error.detail);
      return 1;
    }
    out(`usage: npm run ${USAGE}`);
    return 2;
  },
};
