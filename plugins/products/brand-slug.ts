import { foldName } from '#core/search/name-index.ts';

const LONGEST = 80;

/**
 * The one slug of a brand: spellings that differ in case, accents, punctuation, apostrophes or ™ give the same
 * ("Nature's Way®", "NATURES WAY"). "" for a brand without a letter or digit.
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
