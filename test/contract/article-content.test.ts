/** content/articles against what it cites: a figure that no cited summary or rule holds was made up, or belongs to another source. */
import { strict as assert } from 'node:assert';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readFrontMatter, readYaml } from '../../core/content-file.ts';
import { ARTICLE_CITATIONS, ArticleEntry } from '../../plugins/articles/schemas.ts';
import { ContentSourceList } from '../../plugins/evidence/schemas.ts';

const content = join(import.meta.dirname, '../../content');
const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const TENS: Readonly<Record<string, string>> = { thirty: '30', forty: '40', fifty: '50', sixty: '60', seventy: '70' };

/** Figures in digits or words; "one" is mostly no figure. */
const figuresIn = (text: string): ReadonlySet<string> => {
  const digits = text.replace(/(?<=\d),(?=\d{3})/g, '').match(/\d+(?:\.\d+)?/g) ?? [];
  const words = (text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) => {
    const n = WORDS.indexOf(word);
    return n > 1 ? [String(n)] : (TENS[word] ?? []);
  });
  return new Set([...digits, ...words]);
};

const filesOf = async (folder: string) =>
  Promise.all(
    (await readdir(join(content, folder))).map(async (name) => ({
      path: `${folder}/${name}`,
      text: await readFile(join(content, folder, name), 'utf8'),
      digest: '',
    })),
  );

/** What each id says, in the words of this base. */
const readTexts = async (): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  for (const file of await filesOf('sources')) {
    for (const entry of readYaml(file, ContentSourceList)) {
      const { pmid, doi, nct_id, title, summary, population, sample_size, studies } = entry;
      const text = `${title} ${summary} ${population} ${sample_size} ${studies ?? ''}`;
      for (const ref of [pmid && `pmid:${pmid}`, doi && `doi:${doi}`, nct_id && `nct:${nct_id}`])
        if (ref) texts.set(ref, text);
    }
  }
  for (const { text } of await filesOf('interactions')) {
    const { rules = [] } = parse(text) as { rules?: { slug: string }[] };
    for (const rule of rules) texts.set(`rule:${rule.slug}`, JSON.stringify(rule));
  }
  return texts;
};

const SENTENCE = /(?<=[.!?:])\s+(?=[A-Z“*])|\n\s*\n|\n- |\*\*/;

/** Each citation with the sentence, or the part of one, that stands before it. */
const claimsIn = (body: string) => {
  let from = 0;
  return [...body.matchAll(/\[(@[^\]]+)\]/g)].map((match) => {
    const words = body.slice(from, match.index).split(SENTENCE).at(-1) ?? '';
    from = match.index + match[0].length;
    return { words, refs: ARTICLE_CITATIONS.refsIn(match[1] ?? '') };
  });
};

describe('articles', () => {
  it('give no figure that what they cite for it does not say', async () => {
    const texts = await readTexts();
    const wrong: string[] = [];
    let claims = 0;
    for (const file of await filesOf('articles')) {
      for (const { words, refs } of claimsIn(readFrontMatter(file, ArticleEntry).body)) {
        claims += 1;
        const said = figuresIn(refs.map((ref) => texts.get(ref) ?? '').join(' '));
        const made = [...figuresIn(words)].filter((figure) => !said.has(figure));
        if (made.length) wrong.push(`${file.path}: ${made.join(', ')} in “${words.trim()}” (${refs.join(', ')})`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(claims > 80, String(claims));
  });

  it('cite no source of animals or cells without saying so in the sentence', async () => {
    const species = new Map<string, string>();
    for (const file of await filesOf('sources'))
      for (const { pmid, species: kind } of readYaml(file, ContentSourceList)) species.set(`pmid:${pmid}`, kind);
    for (const file of await filesOf('articles')) {
      for (const { words, refs } of claimsIn(readFrontMatter(file, ArticleEntry).body)) {
        if (refs.some((ref) => ['animal', 'in_vitro'].includes(species.get(ref) ?? '')))
          assert.match(words, /\b(rats?|mice|animals?|cells?)\b/i, `${file.path}: ${words}`);
      }
    }
  });
});
