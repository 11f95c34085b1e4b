/**
 * Determines the date on which a file was valid. Each status and field carries this date, so the day of the import is never
 * used.
 */
import { decodeText } from '#core/import/text-stream.ts';
import type { LabelFile } from './files.ts';
import { dayOf } from './values.ts';

const DAY =
  /\b20\d\d-[01]\d-[0-3]\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, 20\d\d\b/g;

/** Maximum number of records with a day that may be a typing error, such as 2020-09-16 in the list of 2019. */
const MOST_SLIPS = 2;

/**
 * Returns the newest day that occurs in a text more than twice, otherwise the newest one. Ignores future days. Returns an
 * empty string when there is none.
 */
export const newestDayIn = async (chunks: AsyncIterable<string>): Promise<string> => {
  const counts = new Map<string, number>();
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + chunk;
    // A day that may continue in the next chunk is read with that chunk.
    const end = Math.max(0, text.length - 30);
    for (const match of text.matchAll(DAY))
      if (match.index < end) counts.set(match[0], (counts.get(match[0]) ?? 0) + 1);
    rest = text.slice(end);
  }
  for (const [found] of rest.matchAll(DAY)) counts.set(found, (counts.get(found) ?? 0) + 1);
  const days = [...counts].flatMap(([text, count]) => {
    const day = dayOf(text);
    return day === null ? [] : [{ day, count }];
  });
  const newest = (list: readonly { day: string }[]): string =>
    list.reduce((last, { day }) => (day > last ? day : last), '');
  return newest(days.filter(({ count }) => count > MOST_SLIPS)) || newest(days);
};

/**
 * Maximum number of days between the newest label and the date of the archive: the list of 2019 was exported on the day of
 * its archive, soon after its newest label.
 */
const PLAUSIBLE_DAYS = 60;

/**
 * Returns the day on which a file was made: `downloadedOn` (from the ReadMe beside it), otherwise the day in its archive when
 * that is soon after the newest day in the text, otherwise that newest day, otherwise the date of the file.
 */
export const dayOfFile = async (file: LabelFile, downloadedOn: string | null, signal: AbortSignal): Promise<string> => {
  if (downloadedOn !== null) return downloadedOn;
  const newest = await newestDayIn(decodeText(file.open(signal)).chunks);
  const own = file.modifiedAt.toISOString().slice(0, 10);
  if (!newest) return own;
  const days = (Date.parse(own) - Date.parse(newest)) / 86_400_000;
  return file.inArchive && days >= 0 && days <= PLAUSIBLE_DAYS ? own : newest;
};

/** Parses "Date of download,2026-01-10T17:52:06-05:00" from a ReadMe. Returns null when it is missing. */
export const readDownloadDay = async (file: LabelFile, signal: AbortSignal): Promise<string | null> => {
  for await (const text of decodeText(file.open(signal)).chunks) {
    const day = /Date of download,"?(20\d\d-\d\d-\d\d)/.exec(text)?.[1];
    if (day) return dayOf(day);
  }
  return null;
};
