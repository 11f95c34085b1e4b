/** Schemas of content/articles/*.md: the front matter, and the syntax of citations in the text. */
import { type Static, Type } from 'typebox';
import { citationSyntax } from '#core/render/citations.ts';
import { EntryChanges, SeeDoctor } from '#plugins/vocabulary/index.ts';

const Slugs = Type.Array(Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }), { uniqueItems: true });
const strict = { additionalProperties: false };

export const ArticleEntry = Type.Object(
  {
    title: Type.String({ minLength: 10, maxLength: 90 }),
    /** Description for search engines and lists. */
    description: Type.String({ minLength: 60, maxLength: 200 }),
    /** Summary of the article in two or three sentences, shown first. */
    answer: Type.String({ minLength: 60, maxLength: 500 }),
    author: Type.Literal('The editors of this base'),
    published: Type.String({ format: 'date' }),
    updated: Type.String({ format: 'date' }),
    about: Type.Object(
      {
        supplements: Type.Optional(Slugs),
        conditions: Type.Optional(Slugs),
        /** Supplements and substances whose interaction pages the article links to. */
        interactions: Type.Optional(Slugs),
      },
      strict,
    ),
    /** Open questions on the subject. */
    unknown: Type.Array(Type.String({ minLength: 20 }), { minItems: 1 }),
    /** Signs that need immediate medical help. */
    red_flags: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    see_doctor: Type.Optional(SeeDoctor),
    changes: Type.Optional(EntryChanges),
  },
  strict,
);
export type ArticleEntry = Static<typeof ArticleEntry>;

/** Syntax of citations: an identifier of a source of the base, or the slug of a rule of content/interactions. */
export const ARTICLE_CITATIONS = citationSyntax(['pmid', 'doi', 'nct', 'rule']);

export const ruleOfRef = (ref: string): string | null => (ref.startsWith('rule:') ? ref.slice('rule:'.length) : null);
