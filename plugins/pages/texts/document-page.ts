/** Defines /page and /page/{page_path}, which show the documents of content/docs. */
import { Type } from 'typebox';
import { type Context, definePage, type Near, type Page } from '#core/plugin.ts';
import { linksFrom, pageOfFile } from '#core/render/content-links.ts';
import { renderSections } from '#core/render/markdown.ts';
import { webPage } from '#core/render/structured-data.ts';
import { breadcrumbs, CrumbList, LinkView, likeness, versionOf } from '#plugins/evidence/index.ts';
import { PageText } from './entities.ts';
import { POLICIES } from './policy-content.ts';

interface Document {
  readonly path: string;
  readonly title: string;
  readonly body: string;
  readonly digest: string;
}

/** Returns all documents. They are few, and matching in memory means that a request path never names a file. */
const readDocuments = ({ db }: Context): Promise<readonly Document[]> =>
  db.read((em) => em.find(PageText, { kind: 'document' }, { disableIdentityMap: true, orderBy: { path: 'asc' } }));

const hrefOf = ({ path }: Pick<Document, 'path'>): string => pageOfFile(path) ?? '/page';
const linkOf = (document: Document) => ({ name: document.title, href: hrefOf(document) });
const isDecision = ({ path }: Pick<Document, 'path'>): boolean => path.startsWith('docs/decisions/');

const CONTENTS = { name: 'Documents', href: '/page' };
const TAKEN = ['content', 'site-q', 'contents-title'];

/** Returns the start of the text as a description for search engines. */
const descriptionOf = ({ title, body }: Document): string => {
  const [paragraph = ''] = body.split(/\n\s*\n/);
  const plain = paragraph
    .replace(/^[-*] /gm, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`#]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const words = `${title}. ${plain}`;
  return words.length > 165 ? `${words.slice(0, 163).replace(/\s+\S*$/, '')} …` : words;
};

const DocumentView = Type.Object({
  crumbs: CrumbList,
  title: Type.String(),
  lead: Type.String(),
  sections: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), html: Type.String() })),
  previous: Type.Union([LinkView, Type.Null()]),
  next: Type.Union([LinkView, Type.Null()]),
});

const viewOf = (document: Document, all: readonly Document[]) => {
  const { lead, sections } = renderSections(document.body, {
    topLevel: 1,
    anchors: { taken: TAKEN },
    link: linksFrom(document.path),
  });
  const decisions = all.filter(isDecision);
  const at = decisions.findIndex(({ path }) => path === document.path);
  const [previous, next] = at < 0 ? [] : [decisions[at - 1], decisions[at + 1]];
  return {
    crumbs: [CONTENTS, linkOf(document)],
    title: document.title,
    lead,
    sections: [...sections],
    previous: previous ? linkOf(previous) : null,
    next: next ? linkOf(next) : null,
  };
};

const LIKE_ENOUGH = 0.3;
const SHOWN = 5;

const nearTo = (wanted: string, all: readonly Document[]): readonly Near[] => {
  const likeTo = (text: string): number => likeness(wanted.toLowerCase(), text.toLowerCase());
  const near = all
    .map((document) => ({ document, like: Math.max(likeTo(hrefOf(document).slice(6)), likeTo(document.title)) }))
    .filter(({ like }) => like >= LIKE_ENOUGH)
    .sort((a, b) => b.like - a.like)
    .slice(0, SHOWN)
    .map(({ document }) => linkOf(document));
  return [...near, { name: 'All documents', href: '/page' }];
};

/** Returns the address of a text that has one outside /page, or null. */
const elsewhere = (pagePath: string): string | null => {
  if (pagePath === 'index' || pagePath === 'decisions') return '/page';
  const policy = POLICIES.find((slug) => pagePath === slug || pagePath === `pages/${slug}`);
  return policy ? `/${policy}` : null;
};

const loadDocument = async (context: Context, pagePath: string) => {
  const redirect = elsewhere(pagePath);
  if (redirect) return { redirect, status: 301 as const };
  const all = await readDocuments(context);
  const document = all.find((one) => hrefOf(one) === `/page/${pagePath}`);
  if (!document) return { missing: { resource: 'Page', id: pagePath, near: nearTo(pagePath, all) } };
  const view = viewOf(document, all);
  const baseUrl = context.config.text('BASE_URL');
  const [name, description] = [document.title, descriptionOf(document)];
  const structuredData = [
    webPage({ baseUrl, path: hrefOf(document), name, description }),
    breadcrumbs(baseUrl, view.crumbs),
  ];
  return { head: { title: name, description, structuredData }, view };
};

export const documentPage = definePage({
  id: 'pages.document',
  path: '/page/{+page_path}',
  summary: 'One document of content/docs: the glossary, the format of content, a decision',
  template: 'pages/document',
  params: Type.Object({ page_path: Type.String({ maxLength: 200 }) }),
  view: DocumentView,
  scope: 'public',
  sitemap: 'static',
  revision: 2,
  list: async function* (context: Context) {
    const all = await readDocuments(context);
    for (const document of all) {
      const version = versionOf(document.digest, viewOf(document, all));
      yield { params: { page_path: hrefOf(document).slice('/page/'.length) }, version, changedAt: null };
    }
  },
  load: (context: Context, { params }) => loadDocument(context, params.page_path),
}) as Page;

const ContentsView = Type.Object({ documents: Type.Array(LinkView), decisions: Type.Array(LinkView) });

const contentsOf = async (context: Context) => {
  const all = await readDocuments(context);
  return {
    documents: all.filter((document) => !isDecision(document)).map(linkOf),
    decisions: all.filter(isDecision).map(linkOf),
  };
};

export const documentsPage = definePage({
  id: 'pages.documents',
  path: '/page',
  summary: 'Contents of the documents',
  template: 'pages/documents',
  view: ContentsView,
  scope: 'public',
  sitemap: 'static',
  revision: 2,
  list: async function* (context: Context) {
    yield { params: {}, version: versionOf(await contentsOf(context)), changedAt: null };
  },
  load: async (context: Context) => ({
    head: {
      title: 'Documents',
      description:
        'The words this base uses, how its content is written, how the program is run, and the decisions behind it, with reasons.',
    },
    view: await contentsOf(context),
  }),
}) as Page;
