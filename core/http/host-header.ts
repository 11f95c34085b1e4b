/** A name or address and a port, as RFC 3986 has them; empty is allowed. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._~%!$&'()*+,;=-]*)(?::\d{0,5})?$/i;

export const isHost = (value: string): boolean => HOST.test(value);
