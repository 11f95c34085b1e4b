/** Pages of the evidence plugin: one question, the search, and all sources. */
import { searchPage } from './search.ts';
import { exploreSourcesPage } from './sources.ts';
import { verticalPage } from './vertical.ts';

export const evidencePages = [verticalPage, searchPage, exploreSourcesPage];
