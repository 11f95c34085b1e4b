/** Defines the policy pages, such as /about and /privacy: one template, texts of content/pages, facts of the instance. */
import { Type } from 'typebox';
import { type Context, definePage, type Page } from '#core/plugin.ts';
import { linksFrom } from '#core/render/content-links.ts';
import { renderSections } from '#core/render/markdown.ts';
import { webPage } from '#core/render/structured-data.ts';
import { dayInWords, versionOf } from '#plugins/evidence/index.ts';
import { PageText } from './entities.ts';
import { fillIn } from './fill-in.ts';
import { POLICIES, type Policy, type PolicyEntry, pathOf } from './policy-content.ts';
import { readFacts } from './policy-facts.ts';

const PolicyView = Type.Object({
  title: Type.String(),
  answer: Type.String(),
  changedOn: Type.String(),
  lead: Type.String(),
  sections: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), html: Type.String() })),
  /** The other policies, in the order of `POLICIES`. */
  others: Type.Array(Type.Object({ name: Type.String(), href: Type.String() })),
});

interface Texts {
  readonly entry: PolicyEntry;
  readonly body: string;
  readonly others: readonly { readonly name: string; readonly href: string }[];
}

const readTexts = async ({ db }: Context, policy: Policy): Promise<Texts | null> => {
  const rows = await db.read((em) => em.find(PageText, { kind: 'policy' }, { disableIdentityMap: true }));
  const mine = rows.find(({ path }) => path === pathOf(policy));
  if (!mine) return null;
  const others = POLICIES.flatMap((slug) => {
    const row = rows.find(({ path }) => path === pathOf(slug));
    return row && slug !== policy ? [{ name: row.title, href: `/${slug}` }] : [];
  });
  return { entry: mine.entry as PolicyEntry, body: mine.body, others };
};

/** Ids that the layout and this template already use. */
const TAKEN = ['content', 'site-q', 'contents-title', 'others'];

const loadPolicy = async (context: Context, policy: Policy) => {
  const texts = await readTexts(context, policy);
  if (!texts) return { missing: { resource: 'Page', id: policy } };
  const { entry, body, others } = texts;
  const facts = await readFacts(context, `${entry.answer}\n${body}`);
  const text = renderSections(fillIn(body, facts), {
    topLevel: 1,
    anchors: { taken: TAKEN },
    link: linksFrom(pathOf(policy)),
  });
  return {
    head: {
      title: entry.title,
      description: entry.description,
      structuredData: [
        webPage({
          baseUrl: context.config.text('BASE_URL'),
          path: `/${policy}`,
          name: entry.title,
          description: entry.description,
          changed: entry.last_changed,
        }),
      ],
    },
    view: {
      title: entry.title,
      answer: fillIn(entry.answer, facts),
      changedOn: dayInWords(`${entry.last_changed}T00:00:00Z`),
      lead: text.lead,
      sections: [...text.sections],
      others: [...others],
    },
  };
};

const policyPage = (policy: Policy): Page =>
  definePage({
    id: `pages.${policy}`,
    path: `/${policy}`,
    summary: `What content/pages/${policy}.md says, with the facts of this instance`,
    template: 'pages/policy',
    view: PolicyView,
    scope: 'public',
    sitemap: 'static',
    llms: { section: 'About this base', isInFull: true },
    revision: 1,
    list: async function* (context: Context) {
      const [texts, answer] = [await readTexts(context, policy), await loadPolicy(context, policy)];
      if (!texts || !('view' in answer)) return;
      yield { params: {}, version: versionOf(answer), changedAt: `${texts.entry.last_changed}T00:00:00Z` };
    },
    load: (context: Context) => loadPolicy(context, policy),
  }) as Page;

export const policyPages: readonly Page[] = POLICIES.map(policyPage);
