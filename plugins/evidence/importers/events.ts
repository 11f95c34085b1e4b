import type { ImportEvent, SourceRecord } from '../source-record.ts';

/** Creates a `problem` event with a readable location. */
export const problem = (at: string, message: string): ImportEvent => ({ type: 'problem', at, message });

/**
 * Returns the record as an event, or a problem when it has no identifier. Only a PMID or DOI identifies an article, because the
 * trial id in it belongs to the trial.
 */
export const recordEvent = (at: string, record: SourceRecord, isTrial = false): ImportEvent =>
  record.pmid !== '' || record.doi !== '' || (isTrial && record.nctId !== '')
    ? { type: 'record', at, record }
    : problem(at, 'has neither PMID, DOI nor NCT id');
