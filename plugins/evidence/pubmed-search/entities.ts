import { defineEntity, p } from '@mikro-orm/core';

/** One search of a run that has not finished. Its rows are deleted when the run finishes. */
export const PubmedSearch = defineEntity({
  name: 'PubmedSearch',
  tableName: 'evidence_pubmed_search',
  properties: {
    run: p.string().primary(),
    ordinal: p.integer().primary(),
    /** Digest of the run's parameters: the same command continues the same run. */
    identity: p.string(),
    label: p.string(),
    found: p.integer(),
    /** Number of found records that an earlier search of the run also found. */
    repeated: p.integer(),
    counts: p.json<Record<string, number>>(),
    /** Reason why some or all of its records are missing; "" when none are. */
    problem: p.text(),
    searchedAt: p.datetime(),
  },
});

/** A PMID that a run fetches once, whichever of its searches found it. */
export const QueuedPmid = defineEntity({
  name: 'QueuedPmid',
  tableName: 'evidence_pubmed_queue',
  properties: {
    run: p.string().primary(),
    pmid: p.string().primary(),
    /** Ordinal of the search that found it first. */
    ordinal: p.integer(),
    /** `waiting`, `stored` or `skipped`. */
    state: p.string(),
    /** Reason why it was skipped. */
    reason: p.text(),
  },
});
