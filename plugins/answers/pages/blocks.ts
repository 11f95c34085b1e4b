/** Splits the text of an answer into numbered claims and the blocks between them. */
import { type Static, Type } from 'typebox';
import { LinkView, OptionalTier, TIERS, tierView } from '#plugins/evidence/index.ts';
import type { Answer, Citation } from '../schemas.ts';

export const BlockView = Type.Object({
  kind: Type.String({ enum: ['heading', 'text', 'claim'] }),
  /** Number of a claim, from 1; 0 for other blocks. */
  n: Type.Integer(),
  text: Type.String(),
  cites: Type.Array(Type.Integer()),
  /** Tier of the strongest source of the claim. */
  tier: OptionalTier,
  design: Type.String(),
  people: Type.String(),
  /** Population of a claim with a single source. */
  population: Type.String(),
  /** Links to pages of this base at the end of a text block. */
  links: Type.Array(LinkView),
});
export type BlockView = Static<typeof BlockView>;

const MARKS = /\s*\[\d+(?:\s*,\s*\d+)*\]/g;
const PLAIN = { n: 0, cites: [], tier: null, design: '', people: '', population: '', links: [] };

/** Converts the Markdown of answers to plain text: removes citation marks, list marks, emphasis and link targets. */
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

/** Splits off the links to pages of this base at the end of a text. */
const endLinks = (markdown: string): { rest: string; links: BlockView['links'] } => {
  const match = LINK_AT_END.exec(markdown);
  if (!match) return { rest: markdown, links: [] };
  const { rest, links } = endLinks(markdown.slice(0, match.index));
  return { rest, links: [...links, { name: match[1] ?? '', href: match[2] ?? '' }] };
};

/** Returns the blocks between claims. Omits bare punctuation and parts that the page shows elsewhere. */
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
/** Returns the design and size of a source as the pages show them, by source id. */
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

/** Returns whether a part is the message that nothing is on record for a pair, which the page shows above. */
const isNoRecord = (part: string, message: string): boolean =>
  / with [^:]+: /.test(plainText(part)) && plainText(part).endsWith(plainText(message));

/**
 * Returns a test for parts that the page shows elsewhere: interactions and the summary above, and what would answer the
 * question below. The text repeats them for readers of the API.
 */
const repeatedIn =
  ({ interactions, summary, what_would_answer }: Answer) =>
  (part: string): boolean =>
    plainText(part) === plainText(summary) ||
    interactions.some((item) => (item.found ? part.includes(`](${item.url})`) : isNoRecord(part, item.message))) ||
    (what_would_answer !== '' && plainText(part).endsWith(plainText(what_would_answer)));

/**
 * Returns the blocks in the order of the text. A claim whose position does not match is placed after all others and never
 * left out.
 */
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
  // Claims are numbered in reading order.
  let n = 0;
  return all.map((block) => {
    if (block.kind === 'claim') n += 1;
    return block.kind === 'claim' ? { ...block, n } : block;
  });
};
