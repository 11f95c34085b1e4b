/** Builds /chat: the question form, with or without script. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { CrumbList, inSentence } from '#plugins/evidence/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { AnswerServices } from '../services.ts';

export const ChatQuery = Type.Object({
  about: Type.String({ maxLength: 200, default: '' }),
  seed: Type.String({ maxLength: 1000, default: '' }),
  notice: Type.String({ enum: ['', 'deleted'], default: '' }),
});

export const ChatView = Type.Object({
  crumbs: CrumbList,
  /** The supplement that fixes the topic, or null. */
  about: Type.Union([Type.Object({ slug: Type.String(), name: Type.String() }), Type.Null()]),
  /** Value of `about` that is not a known supplement, or "". */
  unknownAbout: Type.String(),
  seed: Type.String(),
  isDeleted: Type.Boolean(),
  examples: Type.Array(Type.Object({ name: Type.String(), note: Type.String(), href: Type.String() })),
  /** Whether a language model may choose and order the sentences. */
  hasModel: Type.Boolean(),
  keepDays: Type.Integer(),
});

export type ChatView = Static<typeof ChatView>;

/** Example questions that the base answers; a test asks each of them. */
export const EXAMPLES = [
  { name: 'Do probiotics prevent diarrhoea from antibiotics?', note: 'How studies that disagree are set side by side' },
  {
    name: 'Does creatine help older adults build strength?',
    note: 'A question with few sources, and how sure they make it',
  },
  { name: 'Can I take St John’s wort with sertraline?', note: 'A combination to avoid, and what to do' },
] as const;

/** Returns examples for one supplement; the name has the form that it has within a sentence. */
const examplesAbout = (name: string) => [
  { name: `What do studies say about ${name}?`, note: 'All outcomes that the base holds' },
  { name: `What unwanted effects of ${name} were seen in studies?`, note: 'Harms as they were counted' },
];

type Calling = Context<AnswerServices>;

const supplementOf = async (context: Calling, slug: string) => {
  const { supplements, redirects } = await context.use(vocabularyPlugin).terms();
  const found = supplements.get(redirects.get(slug) ?? slug);
  return found ? { slug: found.slug, name: found.name } : null;
};

const load = async (context: Calling, { about, seed, notice }: { about: string; seed: string; notice: string }) => {
  const slug = about.trim().toLowerCase();
  const supplement = slug ? await supplementOf(context, slug) : null;
  const hasQuery = Boolean(about || seed || notice);
  return {
    head: {
      title: supplement ? `Ask about ${supplement.name}` : 'Ask the evidence',
      description:
        'Ask about supplements and get an answer whose every claim cites a graded source, interactions with medicines first.',
      noindex: hasQuery,
      noStore: hasQuery,
    },
    view: {
      crumbs: [{ name: 'Ask', href: '/chat' }],
      about: supplement,
      unknownAbout: supplement ? '' : about,
      seed,
      isDeleted: notice === 'deleted',
      examples: (supplement ? examplesAbout(inSentence(supplement.name)) : EXAMPLES).map(({ name, note }) => ({
        name,
        note,
        href: `/chat?${new URLSearchParams({ ...(supplement && { about: supplement.slug }), seed: name })}`,
      })),
      hasModel: context.models.language !== null,
      keepDays: context.services.keepDays,
    },
  };
};

function* list({ services, models }: Calling): Iterable<PageInstance> {
  yield { params: {}, version: `${services.keepDays} ${models.language !== null}`, changedAt: null };
}

export const chatPage = definePage({
  id: 'answers.chat',
  path: '/chat',
  summary: 'Ask a question, answered with citations',
  template: 'answers/chat',
  query: ChatQuery,
  view: ChatView,
  scope: 'public',
  sitemap: 'static',
  revision: 4,
  list,
  load: (context: Calling, { query }) => load(context, query),
});
