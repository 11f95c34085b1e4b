import { longText, type MadePage } from '../generate/support.ts';

const PAGES = 50;

/** A version of the made-up site: from one to the next half of the pages change, one goes and one comes. */
export const pagesOf = (version: number): readonly MadePage[] =>
  Array.from({ length: PAGES }, (_, at) => {
    const slug = `page-${at + version}`;
    const text = longText((at + version) % 2 ? `${slug} of version ${version}` : `${slug} of every version`);
    return { slug, text, changedAt: '2026-01-02T03:04:05.000Z' };
  });
