/** What the routes and pages of wearables have in common. */
export const tag = 'Wearables';

/** Both answer the same (conventions, section 2). */
export const EXPORT_PATHS = ['/wearables/phone-health', '/wearables/apple-health'] as const;
/** Where an export comes in parts. */
export const PARTS_PATH = `${EXPORT_PATHS[0]}/parts`;
/** Part of ids of routes and pages. */
export const idOf = (path: (typeof EXPORT_PATHS)[number]): string =>
  path.endsWith('apple-health') ? 'apple_health' : 'phone_health';
