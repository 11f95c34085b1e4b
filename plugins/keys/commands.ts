import { parseArgs } from 'node:util';
import { AppError } from '#core/errors.ts';
import type { Command } from '#core/plugin.ts';
import type { KeyServices } from './services.ts';

const USAGE = 'keys create --name <name> [--admin] [--rpm <n>] [--daily <n>] | keys list | keys deactivate <id>';

const create = async (services: KeyServices, args: readonly string[], out: (line: string) => void): Promise<number> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      name: { type: 'string' },
      admin: { type: 'boolean' },
      rpm: { type: 'string' },
      daily: { type: 'string' },
    },
  });
  const number = (text: string | undefined): number | null =>
    text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
  if (!values.name || (values.rpm && !number(values.rpm)) || (values.daily && !number(values.daily))) {
    out(`usage: npm run ${USAGE}`);
    return 2;
  }
  const { row, raw } = await services.store.create({
    name: values.name.slice(0, 100),
    isAdmin: values.admin === true,
    rpmLimit: number(values.rpm),
    dailyLimit: number(values.daily),
  });
  out(raw);
  out(
    `${row.id} (${row.plan}, ${row.rpmLimit} a minute, ${row.dailyLimit} a day). Store this key now. It is shown only once.`,
  );
  return 0;
};

const list = async (services: KeyServices, out: (line: string) => void): Promise<number> => {
  const rows = await services.store.list();
  for (const row of rows) {
    out(
      [row.id, row.prefix, row.plan, row.active ? 'active' : 'deactivated', row.createdAt.toISOString(), row.name].join(
        '  ',
      ),
    );
  }
  if (!rows.length) out('No key exists yet.');
  return 0;
};

export const keysCommand: Command<KeyServices> = {
  id: 'keys',
  summary: 'create, list and deactivate API keys',
  usage: USAGE,
  run: async ({ services }, [action, ...rest], out) => {
    if (action === 'create') return create(services, rest, out);
    if (action === 'list') return list(services, out);
    if (action === 'deactivate' && rest[0]) {
      try {
        const row = await services.store.deactivate(rest[0]);
        out(`${row.id} is deactivated.`);
        return 0;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        out(error.detail);
        return 1;
      }
    }
    out(`usage: npm run ${USAGE}`);
    return 2;
  },
};
