/** Reads content/ as `npm start` does, but without a database, and reports all errors in it at once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listContent } from '../content-sync.ts';
import { ContentError } from '../errors.ts';
import type { AnyPlugin, ContentFile } from '../plugin.ts';
import { claimsOfTold, namingOf } from './claim-extraction.ts';
import { countByKind, type KindCounts, wordsOf } from './counts.ts';
import type { Offer, Passage } from './reviewed.ts';
import { type Finding, findingsIn, type Offers, type ReviewedFile } from './rules.ts';

export interface ContentCheck {
  readonly files: number;
  readonly findings: readonly Finding[];
  readonly counts: readonly KindCounts[];
  /** The work list of editors: files that were last verified against their sources too long ago, then single entries. */
  readonly due: readonly Due[];
}

export interface Due {
  readonly path: string;
  readonly line: number | null;
  readonly kind: string;
  readonly words: string;
}

/** Age in years after which an entry must be reviewed again. */
const REVIEW_YEARS = 2;

/** Returns the last day of a year or a month. */
const lastDayOf = (date: string): string => {
  if (date.length === 4) return `${date}-12-31`;
  return date.length === 7 ? `${date}-31` : date;
};

const OLD_FILE = 'last verified over two years ago';

const dueIn = (files: readonly ReviewedFile[], today: string): readonly Due[] => {
  const border = `${Number(today.slice(0, 4)) - REVIEW_YEARS}${today.slice(4)}`;
  const old = files
    .flatMap(({ path, reviewedAt = [] }) => {
      const [since = today] = [...reviewedAt].sort();
      return since < border ? [{ path, since }] : [];
    })
    .sort((a, b) => (a.since < b.since ? -1 : 1))
    .map(({ path, since }) => ({
      path,
      line: null,
      kind: OLD_FILE,
      words: `last verified against its sources on ${since}`,
    }));
  const isDue = (since: string | undefined): boolean => since === undefined || lastDayOf(since) < border;
  const entries = files.flatMap(({ path, due = [] }) =>
    due.filter(({ since }) => isDue(since)).map(({ line, kind, words }) => ({ path, line, kind, words })),
  );
  return [...old, ...entries];
};

/** Parses a file; when its schema rejects it, the error becomes a finding, so that the other files are checked, too. */
const reviewOf = (plugins: readonly AnyPlugin[], file: ContentFile): ReviewedFile | Finding | null => {
  const source = plugins.flatMap(({ content = [] }) => content).find(({ matches }) => matches(file.path));
  if (!source?.review) return null;
  try {
    const reviewed = source.review(file);
    return { ...reviewed, path: file.path, words: wordsOf(reviewed.passages.map(({ text }) => text).join(' ')) };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { path: file.path, line: error.line, field: '', words: error.mistake };
  }
};

const isFinding = (one: ReviewedFile | Finding): one is Finding => !('passages' in one);

const offersIn = (files: readonly ReviewedFile[]): { readonly offers: Offers; readonly doubles: Finding[] } => {
  const [offers, homes, doubles] = [new Map<string, Offer>(), new Map<string, string>(), [] as Finding[]];
  for (const { path, offers: own } of files) {
    for (const offer of own) {
      for (const id of offer.ids) {
        const home = homes.get(id);
        if (home) doubles.push({ path, line: null, field: '', words: `${id} stands in content/${home} already` });
        else homes.set(id, path);
        offers.set(id, offer);
      }
    }
  }
  return { offers, doubles };
};

const withClaims = (files: readonly ReviewedFile[], offers: Offers): ReviewedFile[] => {
  const naming = namingOf(offers);
  const claims = (passage: Passage): Passage[] =>
    passage.role === 'told' ? claimsOfTold(passage, offers, naming) : [];
  return files.map((file) => ({ ...file, passages: [...file.passages, ...file.passages.flatMap(claims)] }));
};

/**
 * Checks all files of a folder.
 * @param today as `2026-11-22`
 */
export const checkContent = async (
  plugins: readonly AnyPlugin[],
  folder: string,
  today: string,
): Promise<ContentCheck> => {
  const paths = await listContent(folder);
  const reviews: (ReviewedFile | Finding)[] = [];
  for (const path of paths) {
    const review = reviewOf(plugins, { path, text: await readFile(join(folder, path), 'utf8'), digest: '' });
    if (review) reviews.push(review);
  }
  const written = reviews.filter((one): one is ReviewedFile => !isFinding(one));
  const { offers, doubles } = offersIn(written);
  const files = withClaims(written, offers);
  const findings = [
    ...reviews.filter(isFinding),
    ...doubles,
    ...files.flatMap((file) => findingsIn(file, offers, today)),
  ];
  return { files: files.length, findings, counts: countByKind(files, offers), due: dueIn(files, today) };
};
