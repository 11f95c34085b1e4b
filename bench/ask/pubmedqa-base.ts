/** Formats PubMedQA's abstracts as PubMed records for a temporary base. */
import type { LabelledQuestion } from './stance-model.ts';

const asXml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

const record = (
  { pmid, contexts, labels, conclusion, meshes, year }: LabelledQuestion,
  withConclusion: boolean,
): string => {
  const sections = contexts.map((text, at) => [labels[at] ?? '', text] as const);
  const all = withConclusion ? [...sections, ['CONCLUSIONS', conclusion] as const] : sections;
  // The title is left out, because the question was derived from it and a search would find it trivially.
  return `<PubmedArticle><MedlineCitation><PMID Version="1">${pmid}</PMID><Article><Journal><JournalIssue><PubDate>${
    /^\d{4}$/.test(year) ? `<Year>${year}</Year>` : ''
  }</PubDate></JournalIssue><Title>Left out</Title></Journal><ArticleTitle>Title left out</ArticleTitle><Abstract>${all
    .map(([label, text]) => `<AbstractText Label="${asXml(label)}">${asXml(text)}</AbstractText>`)
    .join('')}</Abstract></Article><MeshHeadingList>${meshes
    .map((mesh) => `<MeshHeading><DescriptorName>${asXml(mesh)}</DescriptorName></MeshHeading>`)
    .join('')}</MeshHeadingList></MedlineCitation></PubmedArticle>`;
};

export const asPubMed = (all: readonly LabelledQuestion[], withConclusion: boolean): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<PubmedArticleSet>\n${all.map((one) => record(one, withConclusion)).join('\n')}\n</PubmedArticleSet>\n`;
