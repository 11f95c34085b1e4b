import type { ImportEvent, SourceRecord } from '../source-record.ts';

/** A `problem` event at a place named for a person. */
export const problem = (at: string, message: string): ImportEvent => ({ type: 'problem', at, message });

/**
 * The record as an event, or a problem when nothing identifies it. An article is known by PMID or DOI only: the trial
 * id it names belongs to the trial.
 */
export const recordEvent = (at: string, record: SourceRecord, isTrial = false): ImportEvent =>
  record.pmid !== '' || record.doi !== '' || (isTrial && record.nctId !== '')
    ? { type: 'record', at, record }
    : problem(at, 'has neither PMID, DOI nor NCT id');
