/** Page /my-data: the data that this service stores for the requesting device, and the actions available for it. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type Page } from '#core/plugin.ts';
import { backupsInWords, consentInWords, NOTICE_WORDS, type Notice } from './device-messages.ts';
import { phraseMadeAt } from './recovery.ts';
import type { DeviceServices } from './services.ts';
import { readConsents } from './store.ts';

const View = Type.Object({
  isKnown: Type.Boolean(),
  counts: Type.Array(Type.Object({ what: Type.String(), count: Type.Integer() })),
  consents: Type.Array(Type.Object({ at: Type.String(), what: Type.String(), isGiven: Type.Boolean() })),
  phraseMadeAt: Type.String(),
  keepDays: Type.Integer(),
  /** Last day on which a back-up may contain deleted data. */
  backups: Type.String(),
  notice: Type.String(),
  /** Shown once, in the response to the button; "" otherwise. */
  phrase: Type.String(),
});
export type MyDataView = Static<typeof View>;

const HEAD = {
  title: 'Your data on this device',
  description: 'What this service keeps for this device, how to take it with you, and how to delete all of it.',
  noindex: true,
};

const EMPTY = { isKnown: false, counts: [], consents: [], phraseMadeAt: '' };

export const readMyData = async (
  { db, device, services, config }: Context<DeviceServices>,
  shown: { readonly notice?: Notice | ''; readonly phrase?: string } = {},
): Promise<MyDataView> => {
  const kept =
    device === null
      ? EMPTY
      : await db.read(async (em) => ({
          isKnown: true,
          counts: [...(await services.counts(em, device))],
          consents: (await readConsents(em, device)).map(({ at, subject, isGiven }) => ({
            at,
            what: consentInWords(subject),
            isGiven,
          })),
          phraseMadeAt: (await phraseMadeAt(em, device)) ?? '',
        }));
  const { notice = '', phrase = '' } = shown;
  const backups = backupsInWords(config.optionalInteger('BACKUP_KEEP_DAYS'));
  return {
    ...kept,
    keepDays: config.integer('DEVICE_KEEP_DAYS'),
    backups,
    notice: notice === 'erased' ? `${NOTICE_WORDS.erased} ${backups}` : notice ? NOTICE_WORDS[notice] : '',
    phrase,
  };
};

const Query = Type.Object({ notice: Type.String({ enum: ['', ...Object.keys(NOTICE_WORDS)], default: '' }) });

export const myDataPage: Page<DeviceServices> = definePage({
  id: 'devices.my_data',
  path: '/my-data',
  summary: 'What is kept for this device: counts, consents, recovery phrase, export, deletion',
  template: 'devices/my-data',
  query: Query,
  view: View,
  scope: 'device',
  sitemap: null,
  revision: 1,
  load: async (context: Context<DeviceServices>, { query }) => {
    if (context.device) await context.services.visit(context.device);
    return { head: HEAD, view: await readMyData(context, { notice: query.notice as Notice | '' }) };
  },
});

/** Renders the same page as the response to a submitted form. */
export const shownMyData = (view: MyDataView) => ({ page: myDataPage as Page, head: HEAD, view });
