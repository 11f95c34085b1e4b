/** Builds /v2/mockup/chat: a trial layout of /chat, with a column for the sources beside the answer. */
import { type Context, definePage } from '#core/plugin.ts';
import type { AnswerServices } from '../services.ts';
import { ChatQuery, ChatView, chatPage } from './chat-page.ts';

export const chatMockupPage = definePage({
  id: 'answers.chat-mockup',
  path: '/v2/mockup/chat',
  summary: 'Asking in a trial layout, with the sources beside the answer',
  template: 'answers/chat-mockup',
  query: ChatQuery,
  view: ChatView,
  scope: 'public',
  sitemap: null,
  revision: 1,
  load: async (context: Context<AnswerServices>, { query }) => {
    const answer = await chatPage.load(context, { params: {}, query });
    if (!('view' in answer)) return answer;
    const { head, view } = answer as { head: typeof answer.head; view: ChatView };
    const examples = view.examples.map((example) => ({ ...example, href: `/v2/mockup${example.href}` }));
    return { head: { ...head, title: `${head.title} (trial layout)`, noindex: true }, view: { ...view, examples } };
  },
});
