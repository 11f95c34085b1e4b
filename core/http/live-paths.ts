const EXEMPT = /^\/(api\/health$|assets\/)/;

/** Whether requests for a public address count against LIVE_RPM: health and assets do not. */
export const isCounted = (path: string): boolean => !EXEMPT.test(path);
