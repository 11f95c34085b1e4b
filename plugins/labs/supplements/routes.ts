/** Routes of the supplement log: what a person takes and when, with the interactions that our sources report. */
import { type Static, Type } from 'typebox';
import { notFound } from '#core/errors.ts';
import { invalid } from '#core/http/validate.ts';
import { type Context, defineRoute, type Reply, type Route } from '#core/plugin.ts';
import { back, devicesPlugin, keepOrFindConsent } from '#plugins/devices/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { type Flow, WHOLE_FLOWS } from '../flows.ts';
import { Day, tag } from '../route-parts.ts';
import type { LabServices } from '../services.ts';
import { interplayOf } from './interplay.ts';
import type { LogEntry } from './kept-entry.ts';
import {
  addEntry,
  deleteEntry,
  LOG_CONSENT,
  MOST_ENTRIES,
  MOST_OPEN,
  readEntry,
  readLog,
  replaceEntry,
} from './log-store.ts';
import { checkedDay, EntryFields, entryFrom, today } from './new-entry.ts';
import { EntryJson, entryJson } from './shown-entry.ts';

type Uses = Pick<LabServices, 'book'>;
type Headers = Readonly<Record<string, string | undefined>>;

const raises = ['cross_site_request', 'validation_failed', 'malformed_json'];
const NO_STORE = { 'Cache-Control': 'no-store' };
const LogId = Type.Object({ log_id: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) });

const wantsJson = (headers: Headers): boolean =>
  /\bapplication\/json\b/.test(headers['content-type'] ?? '') ||
  (/\bapplication\/json\b/.test(headers.accept ?? '') && !/\btext\/html\b/.test(headers.accept ?? ''));

/** Returns the entry as JSON with its current interactions, which depend on the whole log. */
const shown = async (context: Context<Uses>, logId: number) => {
  const { db, secrets } = context;
  const log = await db.read((em) => readLog({ em, secrets, device: context.device as string }));
  const entry = log.find((one) => one.logId === logId) as LogEntry;
  return entryJson(entry, await interplayOf(context.use(interactionsPlugin), log));
};

const answer = async (
  context: Context<Uses>,
  { flow, headers, logId, notice }: { flow: Flow; headers: Headers; logId: number; notice: string },
): Promise<Reply> =>
  wantsJson(headers)
    ? { headers: NO_STORE, body: await shown(context, logId) }
    : back(`${flow.base}/supplement-log?notice=${notice}`);

const replies = [
  {
    status: 200,
    mediaType: 'application/json',
    description: 'The entry, for a client that sends JSON',
    schema: EntryJson,
  },
  { status: 303, mediaType: 'text/html', description: 'Back to the log, for a form' },
];

const addRoute = (flow: Flow): Route =>
  defineRoute<Uses, { body: typeof EntryFields }>({
    id: `labs.${flow.id}.supplement_log_add`,
    method: 'POST',
    path: `${flow.base}/supplement-log`,
    summary: 'Note a supplement or a medicine that was started',
    description:
      '`supplement_slug` or `name` is required. A name that stands in the wrong list is taken for what it is; `needs_confirmation` says that it was taken for a misspelling.',
    tag,
    access: 'public',
    device: 'make',
    request: { body: EntryFields },
    throttle: { bucket: 'supplement_log', perMinute: 60 },
    replies,
    raises: [...raises, 'consent_required', 'quota_exceeded'],
    handle: async (context, { body, headers }) => {
      const words = { interactions: context.use(interactionsPlugin), vocabulary: context.use(vocabularyPlugin) };
      const entry = await entryFrom(words, await context.services.book(), body);
      const added = await context.db.write(async (em) => {
        const shelf = { em, secrets: context.secrets, device: context.device as string };
        await keepOrFindConsent(em, shelf.device, { ...LOG_CONSENT, isGiven: body.consent === true });
        const log = await readLog(shelf);
        if (log.filter(({ stoppedAt }) => stoppedAt === null).length >= MOST_OPEN)
          throw invalid('body', 'name', `At most ${MOST_OPEN} things can be taken at a time: stop one first`);
        if (log.length >= MOST_ENTRIES)
          throw invalid('body', 'name', `The log has ${MOST_ENTRIES} entries, which is the most`);
        return addEntry(shelf, entry);
      });
      return answer(context, { flow, headers, logId: added.logId, notice: 'noted' });
    },
  });

const StopFields = Type.Object({ stopped_at: Type.Optional(Day) });

/** Sets the day of the stop. A second call changes nothing: the first day is preserved. */
const stop = async (
  context: Context<Uses>,
  logId: number,
  { stopped_at }: Static<typeof StopFields>,
): Promise<void> => {
  const { db, device, secrets } = context;
  if (device === null) throw notFound('Log entry', String(logId));
  await db.write(async (em) => {
    const shelf = { em, secrets, device };
    const entry = await readEntry(shelf, logId);
    if (!entry) throw notFound('Log entry', String(logId));
    if (entry.stoppedAt !== null) return;
    const { logId: id, createdAt, revision, ...kept } = entry;
    const day = checkedDay('stopped_at', stopped_at ?? (today() < kept.startedAt ? kept.startedAt : today()));
    if (day < kept.startedAt)
      throw invalid('body', 'stopped_at', `It was started on ${kept.startedAt}, which is later`, day);
    await replaceEntry(shelf, logId, { ...kept, stoppedAt: day });
  });
};

const stopRoute = (flow: Flow): Route =>
  defineRoute<Uses, { params: typeof LogId; body: typeof StopFields }>({
    id: `labs.${flow.id}.supplement_log_stop`,
    method: 'POST',
    path: `${flow.base}/supplement-log/{log_id}/stop`,
    summary: 'Note that it was stopped; a second time changes nothing',
    tag,
    access: 'public',
    device: 'read',
    request: { params: LogId, body: StopFields },
    replies,
    raises: [...raises, 'not_found'],
    handle: async (context, { params, body, headers }) => {
      await stop(context, params.log_id, body);
      return answer(context, { flow, headers, logId: params.log_id, notice: 'stopped' });
    },
  });

const NoFields = Type.Object({});

const deleteRoute = (flow: Flow): Route =>
  defineRoute<Uses, { params: typeof LogId; body: typeof NoFields }>({
    id: `labs.${flow.id}.supplement_log_delete`,
    method: 'POST',
    path: `${flow.base}/supplement-log/{log_id}/delete`,
    summary: 'Remove an entry that was a mistake, as if it had never been noted',
    tag,
    access: 'public',
    device: 'read',
    request: { params: LogId, body: NoFields },
    replies: [{ status: 303, mediaType: 'text/html', description: 'Back to the log' }],
    raises: [...raises, 'not_found'],
    handle: async ({ db, device }, { params }) => {
      const isGone = device !== null && (await db.write((em) => deleteEntry({ em, device }, params.log_id)));
      if (!isGone) throw notFound('Log entry', String(params.log_id));
      return back(`${flow.base}/supplement-log?notice=removed`);
    },
  });

const listRoute = (flow: Flow): Route =>
  defineRoute<Uses, Record<never, never>>({
    id: `labs.${flow.id}.supplement_log`,
    method: 'GET',
    path: `/api${flow.base}/supplement-log`,
    summary: 'What this device’s person takes and took: what is taken first, the latest first',
    tag,
    access: 'public',
    device: 'read',
    request: {},
    replies: [
      { status: 200, mediaType: 'application/json', description: 'The entries', schema: Type.Array(EntryJson) },
    ],
    links: {
      [`labs.${flow.id}.supplement_log_stop`]: { log_id: '/0/log_id' },
      [`labs.${flow.id}.supplement_log_delete`]: { log_id: '/0/log_id' },
    },
    raises: [],
    handle: async (context) => {
      const { db, device, secrets } = context;
      if (device === null) return { headers: NO_STORE, body: [] };
      await context.use(devicesPlugin).visit(device);
      const log = await db.read((em) => readLog({ em, secrets, device }));
      const interplay = await interplayOf(context.use(interactionsPlugin), log);
      return { headers: NO_STORE, body: log.map((entry) => entryJson(entry, interplay)) };
    },
  });

/** The routes exist in both flows and share one log. */
export const supplementRoutes: readonly Route[] = WHOLE_FLOWS.flatMap((flow) => [
  addRoute(flow),
  stopRoute(flow),
  deleteRoute(flow),
  listRoute(flow),
]);
