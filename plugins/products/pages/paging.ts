/** Builds pagination: addresses that preserve the filters, and the data of the pager. */
import { type Static, Type } from 'typebox';

export const PageNumber = Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 });

export const PagerView = Type.Object({
  page: Type.Integer(),
  pages: Type.Integer(),
  total: Type.Integer(),
  first: Type.Integer(),
  isPastEnd: Type.Boolean(),
  firstHref: Type.String(),
  previousHref: Type.String(),
  nextHref: Type.String(),
});
export type PagerView = Static<typeof PagerView>;

/** Builds an address with the given parameters; "" and page 1 are left out, so that each list has one address. */
export const addressOf = (path: string, given: Readonly<Record<string, string | number>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== '' && !(name === 'page' && value === 1)) query.set(name, String(value));
  }
  return query.size ? `${path}?${query}` : path;
};

interface PagerParts {
  readonly path: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly page: number;
  readonly size: number;
  readonly total: number;
}

export const pagerOf = ({ path, filters, page, size, total }: PagerParts): PagerView => {
  const pages = Math.max(1, Math.ceil(total / size));
  const to = (other: number): string => addressOf(path, { ...filters, page: other });
  return {
    page,
    pages,
    total,
    first: (page - 1) * size + 1,
    isPastEnd: page > pages,
    firstHref: to(1),
    previousHref: page > 1 && page <= pages ? to(page - 1) : '',
    nextHref: page < pages ? to(page + 1) : '',
  };
};

/** A filter as a plain link that sets its value, or removes it when it is active. */
export const ChoiceView = Type.Object({
  name: Type.String(),
  href: Type.String(),
  count: Type.Integer(),
  chosen: Type.Boolean(),
});
export type ChoiceView = Static<typeof ChoiceView>;
