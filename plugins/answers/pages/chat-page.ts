/** /chat: the form that asks, with or without script. */
import { Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { CrumbList, inSentence, LinkView } from '#plugins/evidence/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { AnswerServices } from '../services.ts';

const Query = Type.Object({
  about: Type.String({ maxLength: 200, default: '' }),
  seed: Type.String({ maxLength: 1000, default: '' }),
  notice: Type.String({ enum: ['', 'deleted'], default: '' }),
});

const View = Type.Object({
  crumbs: CrumbList,
  /** The supplement that fixes the topic; null without one. */
  about: Type.Union([Type.Object({ slug: Type.String(), name: Type.String() }), Type.Null()]),
  /** What was asked for as `about` and is no supplement here, or "". */
  unknownAbout: Type.String(),
  seed: Type.String(),
  isDeleted: Type.Boolean(),
  examples: Type.Array(LinkView),
  keepDays: Type.Integer(),
});

const EXAMPLES = [
  'Does magnesium help with muscle cramps?',
  'Can I take St John’s wort with sertraline?',
  'Does creatine help older adults build strength?',
  'Do probiotics prevent diarrhoea from antibiotics?',
];

/** Of one supplement, with the name as it stands within a sentence. */
const examplesAbout = (name: string): readonly string[] => [
  `What do studies say about ${name}?`,
  `What unwanted effects of ${name} were seen in studies?`,
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
      examples: (supplement ? examplesAbout(inSentence(supplement.name)) : EXAMPLES).map((name) => ({
        name,
        href: `/chat?${new URLSearchParams({ ...(supplement && { about: supplement.slug }), seed: name })}`,
      })),
      keepDays: context.services.keepDays,
    },
  };
};

function* list({ services }: Calling): Iterable<PageInstance> {
  yield { params: {}, version: `${services.keepDays}`, changedAt: null };
}

export const chatPage = definePage({
  id: 'answers.chat',
  path: '/chat',
  summary: 'Ask a question, answered with citations',
  template: 'answers/chat',
  query: Query,
  view: View,
  scope: 'public',
  sitemap: 'static',
  revision: 2,
  list,
  load: (context: Calling, { query }) => load(context, query),
});
