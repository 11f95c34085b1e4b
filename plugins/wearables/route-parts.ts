/** Shared parts of the routes and pages of wearables. */
export const tag = 'Wearables';

/** Both paths have the same responses (conventions, section 2). */
export const EXPORT_PATHS = ['/wearables/phone-health', '/wearables/apple-health'] as const;
/** Path of resumable uploads. */
export const PARTS_PATH = `${EXPORT_PATHS[0]}/parts`;
/** Returns the part of a path that is in the ids of its routes and pages. */
export const idOf = (path: (typeof EXPORT_PATHS)[number]): string =>
  path.endsWith('apple-health') ? 'apple_health' : 'phone_health';
