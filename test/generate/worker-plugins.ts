/** The test site for worker threads, with the same pages in every thread. */
import { longText, madePlugin } from './support.ts';

export const PAGES = Array.from({ length: 60 }, (_, at) => ({
  slug: `page-${at}`,
  text: longText(`word-${at}`),
  // This page has an invalid view, in whichever thread renders it.
  wrong: at === Number(process.env.WRONG_PAGE ?? -1),
}));

export const plugins = [
  madePlugin(
    { pages: PAGES, onLoad: () => new Promise((resolve) => setTimeout(resolve, 25)) },
    process.env.MADE_TEMPLATE ?? '',
  ),
];
