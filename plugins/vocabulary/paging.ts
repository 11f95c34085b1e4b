/** Paginates a list in memory, with the members and the Link header of /api/sources. */
import { Type } from 'typebox';
import { invalid } from '#core/http/validate.ts';

export const pageQuery = {
  page: Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
};

export const pageMembers = {
  page: Type.Integer(),
  page_size: Type.Integer(),
  total: Type.Integer(),
  total_pages: Type.Integer(),
  has_next: Type.Boolean(),
};

export interface PageRequest {
  readonly page: number;
  readonly page_size: number;
}

/** Maximum product of page and page size, so that the offset stays a safe number. */
const MAX_OFFSET = 1_000_000;

/** Throws `validation_failed` for a page whose offset is too large. */
export const checkPage = ({ page, page_size }: PageRequest): void => {
  if (page * page_size > MAX_OFFSET)
    throw invalid('query', 'page', `page times page_size should be at most ${MAX_OFFSET}`, page);
};

/** Returns one page; a page past the end is empty. */
export const pageOf = <T>(rows: readonly T[], { page, page_size }: PageRequest) => ({
  shown: rows.slice((page - 1) * page_size, page * page_size),
  members: {
    page,
    page_size,
    total: rows.length,
    total_pages: Math.ceil(rows.length / page_size),
    has_next: page * page_size < rows.length,
  },
});

/**
 * Builds the Link header (RFC 8288): `first` and `last` always, `prev` and `next` if they exist; the addresses preserve the
 * filters.
 */
export const linkHeader = (
  address: string,
  query: Readonly<Record<string, unknown>> & PageRequest,
  total: number,
): string => {
  const { page, page_size } = query;
  const lastPage = Math.max(1, Math.ceil(total / page_size));
  const given = Object.entries(query).filter(
    ([name, value]) => value !== undefined && name !== 'page' && !(name === 'page_size' && value === 50),
  );
  const to = (number: number): string => {
    const params = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
    params.set('page', String(number));
    return `<${address}?${params}>`;
  };
  const links = [`${to(1)}; rel="first"`, `${to(lastPage)}; rel="last"`];
  if (page > 1) links.push(`${to(Math.min(page - 1, lastPage))}; rel="prev"`);
  if (page < lastPage) links.push(`${to(page + 1)}; rel="next"`);
  return links.join(', ');
};
