/** Reads all data of a device that trends, insights and documents need, in one transaction. */
import type { Context } from '#core/plugin.ts';
import { type Book, biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { historyOf, type MarkerHistory } from '../history.ts';
import type { Report } from '../sealed-report.ts';
import type { LabServices } from '../services.ts';
import { readAll } from '../store.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';
import { readLog } from '../supplements/log-store.ts';
import { insightsOf } from './insights.ts';
import { readLinks } from './links.ts';

export interface Course {
  readonly book: Book;
  readonly reports: readonly Report[];
  readonly log: readonly LogEntry[];
  readonly history: readonly MarkerHistory[];
}

export const readCourse = async ({
  db,
  device,
  secrets,
  services,
}: Context<Pick<LabServices, 'book'>>): Promise<Course> => {
  const book = await services.book();
  if (device === null) return { book, reports: [], log: [], history: [] };
  const { reports, log } = await db.read(async (em) => {
    const shelf = { em, secrets, device };
    return { reports: await readAll(shelf), log: await readLog(shelf) };
  });
  return { book, reports, log, history: historyOf(book, reports) };
};

export const readInsights = async (context: Context<Pick<LabServices, 'book'>>, course: Course) => {
  if (!course.log.length || !course.history.length) return { insights: [], pending: [] };
  const parts = {
    db: context.db,
    biomarkers: context.use(biomarkersPlugin),
    outcomes: context.use(outcomesPlugin),
    vocabulary: context.use(vocabularyPlugin),
  };
  return insightsOf(course, await readLinks(parts, course.book, course.log));
};
