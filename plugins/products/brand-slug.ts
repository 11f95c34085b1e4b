import { foldName } from '#core/search/name-index.ts';

const LONGEST = 80;

/**
 * Returns the slug of a brand. Spellings that differ in case, accents, punctuation, apostrophes or ™ have the same slug
 * ("Nature's Way®", "NATURES WAY"). Returns "" for a brand without a letter or digit.
 */
export const brandSlug = (brand: string): string => {
  const slug = foldName(brand).replace(/ /g, '-');
  if (slug.length <= LONGEST && /^[a-z0-9-]*$/.test(slug)) return slug;
  return slug
    .replace(/[^a-z0-9-]+/g, '')
    .replace(/-{2,}/g, '-')
    .slice(0, LONGEST)
    .replace(/^-|-$/g, '');
};
