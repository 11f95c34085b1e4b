/** The text of an answer taken apart: numbered claims, and what stands between them. */
import { type Static, Type } from 'typebox';
import { LinkView, OptionalTier, TIERS, tierView } from '#plugins/evidence/index.ts';
import type { Answer, Citation } from '../schemas.ts';

export const BlockView = Type.Object({
  kind: Type.String({ enum: ['heading', 'text', 'claim'] }),
  /** Of a claim, from 1; 0 for the others. */
  n: Type.Integer(),
  text: Type.String(),
  cites: Type.Array(Type.Integer()),
  /** Of the strongest source behind the claim. */
  tier: OptionalTier,
  design: Type.String(),
  people: Type.String(),
  /** Who was studied, where one source stands behind the claim. */
  population: Type.String(),
  /** Of a text: pages of this base that it ends with. */
  links: Type.Array(LinkView),
});
export type BlockView = Static<typeof BlockView>;

const MARKS = /\s*\[\d+(?:\s*,\s*\d+)*\]/g;
const PLAIN = { n: 0, cites: [], tier: null, design: '', people: '', population: '', links: [] };

/** Markdown that answers use, as plain text: marks, list marks, emphasis and addresses of links go. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(MARKS, '')
    .replace(/^\s*(?:[-*]|\d+[.)])\s+/gm, '')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/(?<![\p{L}\p{N}_])_([^_]+)_(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/\[([^\]]+)\]\([^)\s]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();

const LINK_AT_END = /\s*\[([^\]]+)\]\((\/[^)\s]*)\)\s*\.?\s*$/;

/** A text without the links to pages of this base that it ends with, and those. */
const endLinks = (markdown: string): { rest: string; links: BlockView['links'] } => {
  const match = LINK_AT_END.exec(markdown);
  if (!match) return { rest: markdown, links: [] };
  const { rest, links } = endLinks(markdown.slice(0, match.index));
  return { rest, links: [...links, { name: match[1] ?? '', href: match[2] ?? '' }] };
};

/** What stands between claims; bare punctuation is nothing, and neither is what the page says elsewhere. */
const between = (markdown: string, isElsewhere: (part: string) => boolean): BlockView[] =>
  markdown.split(/\n{2,}|\n(?=#)|(?<=^#[^\n]*)\n/).flatMap((part) => {
    if (isElsewhere(part)) return [];
    const heading = /^\s*(?:#{1,6}\s+(.*)|\*\*([^*]+)\*\*)\s*$/s.exec(part);
    const { rest, links } = endLinks(part);
    const text = plainText(heading?.[1] ?? heading?.[2] ?? rest);
    if (!/\p{L}/u.test(text)) return [];
    return [{ ...PLAIN, kind: heading ? 'heading' : 'text', text, links: heading ? [] : links }];
  });

interface Weight {
  readonly design: string;
  readonly people: string;
  readonly population: string;
}
/** Designs and sizes as the pages show them, by source id. */
export type WeightOf = (sourceId: string) => Weight | null;

const strongest = (cited: readonly Citation[]): Citation | undefined =>
  cited.toSorted(
    (a, b) => TIERS.indexOf(a.quality_tier) - TIERS.indexOf(b.quality_tier) || b.quality_score - a.quality_score,
  )[0];

const claimBlock = (answer: Answer, at: number, weightOf: WeightOf): BlockView => {
  const claim = answer.claims[at];
  const cited = answer.citations.filter(
    ({ n, retraction_status }) => claim?.citations.includes(n) && retraction_status !== 'retracted',
  );
  const best = strongest(cited);
  const weight = best && weightOf(best.source_id);
  return {
    kind: 'claim',
    n: at + 1,
    text: plainText(claim?.text ?? ''),
    cites: [...(claim?.citations ?? [])],
    tier: best ? tierView(best.quality_tier) : null,
    design: weight?.design ?? '',
    people: weight?.people ?? '',
    population: (cited.length === 1 && weight?.population) || '',
    links: [],
  };
};

/** Two names and the checker's words that nothing is on record, which stand above with the same names. */
const isNoRecord = (part: string, message: string): boolean =>
  / with [^:]+: /.test(plainText(part)) && plainText(part).endsWith(plainText(message));

/** Interactions and the summary stand above, and what would answer it below: the text repeats them for readers of the API. */
const repeatedIn =
  ({ interactions, summary, what_would_answer }: Answer) =>
  (part: string): boolean =>
    plainText(part) === plainText(summary) ||
    interactions.some((item) => (item.found ? part.includes(`](${item.url})`) : isNoRecord(part, item.message))) ||
    (what_would_answer !== '' && plainText(part).endsWith(plainText(what_would_answer)));

/** In the order of the text; a claim whose place does not fit comes after all others, and is never left out. */
export const blocksOf = (answer: Answer, weightOf: WeightOf): BlockView[] => {
  const isElsewhere = repeatedIn(answer);
  const order = answer.claims.map(({ start, end }, at) => ({ start, end, at })).toSorted((a, b) => a.start - b.start);
  const blocks: BlockView[] = [];
  const strays: BlockView[] = [];
  let read = 0;
  for (const { start, end, at } of order) {
    const block = claimBlock(answer, at, weightOf);
    if (start < read || end <= start || end > answer.answer.length) {
      strays.push(block);
      continue;
    }
    blocks.push(...between(answer.answer.slice(read, start), isElsewhere), block);
    read = end;
  }
  const all = [...blocks, ...between(answer.answer.slice(read), isElsewhere), ...strays];
  // Numbered in the order that a reader meets them.
  let n = 0;
  return all.map((block) => {
    if (block.kind === 'claim') n += 1;
    return block.kind === 'claim' ? { ...block, n } : block;
  });
};
