import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { DATA, trialArticles } from '../grading/reference.ts';

/** A row of a file in the format of evidence-inference; `abstract` is set when the file has that column. */
export interface LabelledPrompt {
  readonly prompt: string;
  readonly pmcid: string;
  readonly intervention: string;
  readonly comparator: string;
  readonly outcome: string;
  readonly label: string;
  readonly evidence: string;
  readonly abstract?: string;
}
export interface RecordText {
  readonly title: string;
  readonly abstract: string;
}
export interface JudgedSource {
  readonly pmid: string;
  readonly direction: string;
  readonly interventions: readonly string[];
  readonly terms: readonly string[];
  readonly record: RecordText;
}

/** Reads a tab-separated file with a header and no quoting. */
export const readTable = <Row>(path: string | URL): Row[] => {
  const [head = '', ...lines] = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const names = head.split('\t');
  return lines.map(
    (line) => Object.fromEntries(line.split('\t').map((cell, index) => [names[index] ?? '', cell])) as Row,
  );
};

const lastHexDigit = (text: string): string => createHash('sha256').update(text).digest('hex').at(-1)!;
/** Returns whether an article with an abstract was held out of training, in addition to the dev split. */
export const isHeldOutArticle = (pmcid: string): boolean => '012'.includes(lastHexDigit(pmcid));
/** Returns whether a source was held out of training. */
export const isTestSource = (pmid: string): boolean => '01234'.includes(lastHexDigit(pmid));

/** Reads the abstracts of the full-text articles, by PMC number and by PMID. */
export const readArticleAbstracts = async (): Promise<{
  byPmc: Map<string, RecordText>;
  byPmid: Map<string, RecordText>;
}> => {
  const listed = readTable<{ pmcid: string; pmid: string }>(new URL('jats/articles.tsv', DATA));
  const pmcOf = new Map(listed.map(({ pmcid, pmid }) => [pmid, pmcid]));
  const [byPmc, byPmid] = [new Map<string, RecordText>(), new Map<string, RecordText>()];
  for (const { pmid, title, abstract } of await trialArticles()) {
    byPmid.set(pmid, { title, abstract });
    const pmcid = pmcOf.get(pmid);
    if (pmcid !== undefined) byPmc.set(pmcid, { title, abstract });
  }
  return { byPmc, byPmid };
};

/** Reads every abstract in the data folder, by PMID. */
export const readAbstracts = (articles: ReadonlyMap<string, RecordText>): Map<string, RecordText> => {
  const found = new Map(articles);
  const addLines = (text: string): void => {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const { pmid, title, abstract } = JSON.parse(line) as RecordText & { readonly pmid: string | number };
      if (abstract) found.set(String(pmid), { title, abstract });
    }
  };
  addLines(readFileSync(new URL('literature/supplement-papers.jsonl', DATA), 'utf8'));
  addLines(gunzipSync(readFileSync(new URL('pubmed-2025/abstracts.jsonl.gz', DATA))).toString());
  return found;
};

interface Entry {
  readonly pmid?: string;
  readonly direction?: string;
  readonly supplements?: readonly string[];
  readonly topics?: readonly string[];
}

/** Reads the sources that editors judged and whose abstract is available. */
export const readJudgedSources = (abstracts: ReadonlyMap<string, RecordText>): JudgedSource[] => {
  const content = new URL('../../content/', import.meta.url).pathname;
  const topics = parse(readFileSync(`${content}topics.yaml`, 'utf8')) as {
    slug: string;
    name: string;
    terms: string[];
  }[];
  const termsOf = new Map(topics.map(({ slug, name, terms }) => [slug, [name.toLowerCase(), ...terms.slice(0, 2)]]));
  const nameOf = (slug: string): string[] => {
    const path = `${content}supplements/${slug}.md`;
    if (!existsSync(path)) return [slug.replaceAll('-', ' ')];
    const head = parse(readFileSync(path, 'utf8').split('---')[1] ?? '') as { name: string; synonyms?: string[] };
    return [head.name, ...(head.synonyms ?? []).slice(0, 1)];
  };
  const judged: JudgedSource[] = [];
  for (const path of globSync(`${content}sources/*.yaml`).sort())
    for (const { pmid, direction, supplements, topics: slugs } of (parse(readFileSync(path, 'utf8')) ??
      []) as Entry[]) {
      const record = abstracts.get(String(pmid ?? ''));
      if (!record || !direction) continue;
      const terms = (slugs ?? [])
        .filter((slug) => slug !== 'safety')
        .slice(0, 2)
        .flatMap((slug) => termsOf.get(slug) ?? [slug]);
      const interventions = (supplements ?? []).slice(0, 2).flatMap(nameOf);
      judged.push({
        pmid: String(pmid),
        direction,
        interventions,
        terms: terms.length > 0 ? terms : ['effect'],
        record,
      });
    }
  return judged;
};
