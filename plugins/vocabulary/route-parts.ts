/** Parts shared by the routes of supplements and of conditions. */
import { coreErrors } from '#core/errors.ts';
import type { Context, Reply } from '#core/plugin.ts';
import { resolvedRecord, warningRecord } from './records.ts';
import { Replaced } from './route-schemas.ts';
import type { VocabularyServices } from './services.ts';
import { isExplained } from './terms.ts';

export type VocabularyContext = Context<VocabularyServices>;
export type PageKind = 'supplement' | 'condition';

export const json = { mediaType: 'application/json' };
export const moved = {
  status: 301,
  ...json,
  description: 'The slug was merged, renamed or is another name; `Location` has the one in force',
  schema: Replaced,
};

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name.localeCompare(b.name, 'en');

/** Returns the rows whose names contain `q`, best first, and the meaning of `q` as a whole; all rows by name without `q`. */
export const matching = async <R extends { readonly slug: string; readonly name: string }>(
  { services, config }: VocabularyContext,
  rows: ReadonlyMap<string, R>,
  { q = '', kind }: { readonly q?: string; readonly kind: PageKind },
) => {
  if (!q.trim()) return { found: [...rows.values()].sort(byName), resolved: [] };
  const hit = await services.resolve(q, [kind]);
  const suggested = await services.suggest(q, rows.size, [kind]);
  const slugs = new Set([...(hit ? [hit.slug] : []), ...suggested.map(({ slug }) => slug)]);
  const found = [...slugs].flatMap((slug) => rows.get(slug) ?? []);
  return { found, resolved: hit ? [resolvedRecord(hit, config.text('BASE_URL'))] : [] };
};

/**
 * Returns 301 if the text means another page; otherwise 404, with the warning if the text names a substance that deliberately has
 * no page.
 */
export const elsewhere = async (
  { services, config }: VocabularyContext,
  { kind, slug }: { readonly kind: PageKind; readonly slug: string },
): Promise<Reply> => {
  const meant = await services.pageFor(kind, slug);
  if (meant) {
    const url = `${config.text('BASE_URL')}/${kind}s/${meant}`;
    return { status: 301, headers: { Location: `/api/${kind}s/${meant}` }, body: { replaced_by: meant, url } };
  }
  const near = await services.near(slug, 5, [kind]);
  const substance = await services.warned(slug);
  const resource = kind === 'supplement' ? 'Supplement' : 'Condition';
  const body = {
    resource: kind,
    id: slug,
    did_you_mean: near.map((hit) => hit.slug),
    ...(substance && !isExplained(substance.kind) && { warning: warningRecord(substance) }),
  };
  throw coreErrors.not_found({ resource, id: slug }, { body });
};
