import { longText, type MadePage } from '../generate/support.ts';

const PAGES = 50;

/** Returns a version of the test site; between versions half of the pages change, one is removed and one is added. */
export const pagesOf = (version: number): readonly MadePage[] =>
  Array.from({ length: PAGES }, (_, at) => {
    const slug = `page-${at + version}`;
    const text = longText((at + version) % 2 ? `${slug} of version ${version}` : `${slug} of every version`);
    return { slug, text, changedAt: '2026-01-02T03:04:05.000Z' };
  });
