/** Returns whether the text is a path of this service, so that it cannot lead to another site. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\s\\]*$/.test(path);
