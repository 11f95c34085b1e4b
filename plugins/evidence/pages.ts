/** The pages of the evidence: one question, the search, and all sources. */
import { searchPage } from './page-views-search.ts';
import { exploreSourcesPage } from './page-views-sources.ts';
import { verticalPage } from './page-views-vertical.ts';

export const evidencePages = [verticalPage, searchPage, exploreSourcesPage];
