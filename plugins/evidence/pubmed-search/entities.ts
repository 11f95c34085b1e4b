import { defineEntity, p } from '@mikro-orm/core';

/** One search of a run that has not ended. Its rows go when the run ends. */
export const PubmedSearch = defineEntity({
  name: 'PubmedSearch',
  tableName: 'evidence_pubmed_search',
  properties: {
    run: p.string().primary(),
    ordinal: p.integer().primary(),
    /** Digest of what the run was asked to do: the same command continues the same run. */
    identity: p.string(),
    label: p.string(),
    found: p.integer(),
    /** How many of the found records an earlier search of the run has found as well. */
    repeated: p.integer(),
    counts: p.json<Record<string, number>>(),
    /** Why some or all of its records are missing; "" when none are. */
    problem: p.text(),
    searchedAt: p.datetime(),
  },
});

/** A PMID that a run fetches, once, whichever of its searches found it. */
export const QueuedPmid = defineEntity({
  name: 'QueuedPmid',
  tableName: 'evidence_pubmed_queue',
  properties: {
    run: p.string().primary(),
    pmid: p.string().primary(),
    /** The search that found it first. */
    ordinal: p.integer(),
    /** `waiting`, `stored` or `skipped`. */
    state: p.string(),
    /** Why it was skipped. */
    reason: p.text(),
  },
});
