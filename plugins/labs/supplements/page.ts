/** Page /…-test/supplement-log: what a person takes, with the interactions that our sources report. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type Page } from '#core/plugin.ts';
import { devicesPlugin, hasConsented } from '#plugins/devices/index.ts';
import { dayInWords } from '#plugins/evidence/index.ts';
import { interactionsPlugin, SeverityView, severityView } from '#plugins/interactions/index.ts';
import { type Flow, WHOLE_FLOWS } from '../flows.ts';
import type { LabServices } from '../services.ts';
import { type Interaction, type Interplay, interplayOf, NO_RECORD } from './interplay.ts';
import type { Frequency, LogEntry } from './kept-entry.ts';
import { LOG_CONSENT, readLog } from './log-store.ts';
import { today } from './new-entry.ts';

const InteractionView = Type.Object({
  name: Type.String(),
  severity: SeverityView,
  toDo: Type.String(),
  effect: Type.String(),
  apart: Type.String(),
  href: Type.String(),
});

const EntryView = Type.Object({
  logId: Type.Integer(),
  name: Type.String(),
  href: Type.String(),
  /** Why the name may be wrong; "" if it is certain. */
  nameNote: Type.String(),
  isMedicine: Type.Boolean(),
  dose: Type.String(),
  started: Type.String(),
  startedAt: Type.String(),
  stopped: Type.String(),
  stoppedAt: Type.String(),
  reason: Type.String(),
  targets: Type.Array(Type.Object({ name: Type.String(), href: Type.String() })),
  unknownTargets: Type.Array(Type.String()),
  interactions: Type.Array(InteractionView),
  checked: Type.String(),
});
export type EntryView = Static<typeof EntryView>;

const View = Type.Object({
  flow: Type.Object({ base: Type.String(), name: Type.String() }),
  notice: Type.String(),
  /** Whether this device has yet to consent to the storage of what its person takes. */
  asksConsent: Type.Boolean(),
  taken: Type.Array(EntryView),
  stopped: Type.Array(EntryView),
  interactions: Type.Array(Type.Intersect([InteractionView, Type.Object({ other: Type.String() })])),
  depletions: Type.Array(
    Type.Object({ drug: Type.String(), nutrient: Type.String(), effect: Type.String(), href: Type.String() }),
  ),
  /** Which pairs were checked, and for which no record was found. */
  checked: Type.Array(Type.String()),
  markers: Type.Array(Type.String()),
  today: Type.String(),
});

const NOTICES: Readonly<Record<string, string>> = {
  noted: 'Noted. Below is what our sources say of taking it together with the rest of your list.',
  stopped: 'Noted as stopped.',
  removed: 'The entry was removed.',
};

const FREQUENCY_WORDS: Readonly<Record<Frequency, string>> = {
  daily: 'daily',
  twice_daily: 'twice a day',
  weekly: 'once a week',
  as_needed: 'as needed',
};

/** Formats a dose: "1,000 IU, daily, in the morning". Returns "" if nothing is known about it. */
export const doseInWords = ({ doseAmount, doseUnit, frequency, timeOfDay }: LogEntry): string =>
  [
    doseAmount === null ? '' : `${doseAmount.toLocaleString('en-GB', { maximumFractionDigits: 6 })} ${doseUnit}`.trim(),
    frequency && FREQUENCY_WORDS[frequency],
    timeOfDay,
  ]
    .filter(Boolean)
    .join(', ');

const hrefOf = ({ slug, slugKind }: LogEntry): string =>
  slugKind === 'supplement' ? `/supplements/${slug}` : slugKind ? `/interactions/${slug}` : '';

const interactionView = (
  { severity, to_do, effect, separate_hours, url }: Omit<Interaction, 'with'>,
  name: string,
) => ({
  name,
  severity: severityView(severity),
  toDo: to_do,
  effect,
  apart: separate_hours === null ? '' : `Keep ${separate_hours} hours between them.`,
  href: url,
});

const nameNoteOf = ({ isGuess, slug, given, kind }: LogEntry): string => {
  if (isGuess)
    return `You wrote “${given}”. If you meant something else, remove it and write the name as on the label.`;
  if (slug) return '';
  return `We do not know this ${kind}, so nothing could be looked up for it.`;
};

type MarkerNames = (slug: string) => { name: string; href: string };

const entryView = (entry: LogEntry, interplay: Interplay, markerOf: MarkerNames): EntryView => {
  const { interactions, checked } = interplay.of(entry.logId);
  return {
    logId: entry.logId,
    name: entry.name,
    href: hrefOf(entry),
    nameNote: nameNoteOf(entry),
    isMedicine: entry.kind === 'medicine',
    dose: doseInWords(entry),
    started: dayInWords(entry.startedAt),
    startedAt: entry.startedAt,
    stopped: entry.stoppedAt === null ? '' : dayInWords(entry.stoppedAt),
    stoppedAt: entry.stoppedAt ?? '',
    reason: entry.reason,
    targets: entry.targets.map(markerOf),
    unknownTargets: [...entry.unknownTargets],
    interactions: interactions.map((one) => interactionView(one, one.with.name)),
    checked: checked.message,
  };
};

const pairsInWords = (count: number): string => `${count} ${count === 1 ? 'pair' : 'pairs'}`;

/** Describes the checks of the whole list, including pairs without a record. */
export const checkedInWords = ({ pairs, withoutRecord, notCovered, notRecognised }: Interplay): string[] => [
  ...(pairs.length ? [`${pairsInWords(pairs.length)} with a record, shown above.`] : []),
  ...(withoutRecord ? [`${pairsInWords(withoutRecord)}: ${NO_RECORD}`] : []),
  ...(notCovered
    ? [`${pairsInWords(notCovered)} of two medicines, which are not covered here: ask a pharmacist.`]
    : []),
  ...(notRecognised ? [`${pairsInWords(notRecognised)} with a name that we do not know: nothing was looked up.`] : []),
];

const hasAgreed = async ({ db, device }: Context<LabServices>): Promise<boolean> =>
  device !== null && db.read((em) => hasConsented(em, device, LOG_CONSENT.subject));

const read = async ({ db, device, secrets }: Context<LabServices>): Promise<readonly LogEntry[]> =>
  device === null ? [] : db.read((em) => readLog({ em, secrets, device }));

const logPage = (flow: Flow): Page =>
  definePage({
    id: `labs.${flow.id}.supplement_log_page`,
    path: `${flow.base}/supplement-log`,
    summary: 'Supplements and medicines that are taken, with their interactions',
    template: 'labs/supplement-log',
    query: Type.Object({ notice: Type.String({ enum: ['', ...Object.keys(NOTICES)], default: '' }) }),
    view: View,
    scope: 'device',
    sitemap: null,
    revision: 1,
    load: async (context: Context<LabServices>, { query }) => {
      if (context.device) await context.use(devicesPlugin).visit(context.device);
      const [log, book] = [await read(context), await context.services.book()];
      const interplay = await interplayOf(context.use(interactionsPlugin), log);
      const markerOf: MarkerNames = (slug) => ({ name: book.bySlug(slug)?.name ?? slug, href: `/biomarkers/${slug}` });
      const views = log.map((entry) => entryView(entry, interplay, markerOf));
      return {
        head: {
          title: 'What you take',
          description:
            'Supplements and medicines that you take, from when to when, and what our sources say of taking them together.',
          noindex: true,
        },
        view: {
          flow: { base: flow.base, name: flow.name },
          notice: NOTICES[query.notice] ?? '',
          asksConsent: !(await hasAgreed(context)),
          taken: views.filter(({ stopped }) => !stopped),
          stopped: views.filter(({ stopped }) => stopped),
          interactions: interplay.pairs.map(({ a, b, found }) => ({
            ...interactionView(found, a.name),
            other: b.name,
          })),
          depletions: interplay.depletions.map(({ drug, nutrient, effect, url }) => ({
            drug,
            nutrient,
            effect,
            href: url,
          })),
          checked: checkedInWords(interplay),
          markers: book.markers.map(({ name }) => name),
          today: today(),
        },
      };
    },
  });

export const supplementPages: readonly Page[] = WHOLE_FLOWS.map(logPage);
