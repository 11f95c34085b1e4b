/** Matches a name or address with an optional port (RFC 3986); an empty value is allowed. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._~%!$&'()*+,;=-]*)(?::\d{0,5})?$/i;

export const isHost = (value: string): boolean => HOST.test(value);
