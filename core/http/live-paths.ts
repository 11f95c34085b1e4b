const EXEMPT = /^\/(api\/health$|assets\/)/;

/** Returns whether requests for a public path count against LIVE_RPM: all except the health check and assets. */
export const isCounted = (path: string): boolean => !EXEMPT.test(path);
