import assert from 'node:assert/strict';
import { formats } from '#plugins/evidence/formats/index.ts';
import type { SourceRow } from '#plugins/evidence/source-view.ts';
import { article, bare, context, exported, guideline, hardTitles, trial } from './support.ts';

interface Entry {
  readonly type: string;
  readonly key: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Parses entries as BibTeX does: it counts braces, whether escaped or not. */
const parsed = (text: string): Entry[] => {
  const entries: Entry[] = [];
  const start = /@(\w+)\{([^,\s]+),/g;
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const fields: Record<string, string> = {};
    let at = start.lastIndex;
    for (;;) {
      const field = /\s*,?\s*(?:(\w+) = \{|\})/y;
      field.lastIndex = at;
      const [whole, name] = field.exec(text) ?? assert.fail(`no field at ${JSON.stringify(text.slice(at, at + 60))}`);
      at += whole.length;
      if (name === undefined) break;
      const begin = at;
      for (let depth = 1; depth > 0; at += 1) {
        assert.ok(at < text.length, 'braces without a pair');
        if (text[at] === '{') depth += 1;
        if (text[at] === '}') depth -= 1;
      }
      fields[name] = text.slice(begin, at - 1);
    }
    start.lastIndex = at;
    entries.push({ type: match[1] ?? '', key: match[2] ?? '', fields });
  }
  return entries;
};

const entryOf = (source: SourceRow): Entry =>
  parsed(formats.bibtex.row(source, context, 0))[0] ?? assert.fail('no entry');

describe('BibTeX export', () => {
  it('writes every field of an article', () => {
    assert.deepEqual(entryOf(article), {
      type: 'article',
      key: 'nguyenthi2012effect_99000001',
      fields: {
        author: 'Nguyen Thi, L. and García-López, J. A. and Smith, Jr, J. and {Magnesium Trial Group}',
        title: `{${article.title}}`,
        journal: 'Journal of Examples',
        year: '2012',
        volume: '17',
        number: '12',
        pages: '1161--1169',
        doi: '10.1000/example_1.(a)<b>',
        pmid: '99000001',
        pmcid: 'PMC9900001',
        nctid: 'NCT99000001',
        url: 'https://pubmed.ncbi.nlm.nih.gov/99000001/',
        abstract: article.abstract,
        keywords: 'tier A; magnesium-sleep; magnesium-ageing',
      },
    });
  });

  it('notes a retraction or an expression of concern', () => {
    assert.equal(entryOf({ ...article, retractionStatus: 'retracted' }).fields.note, 'Retracted');
    assert.equal(entryOf({ ...article, retractionStatus: 'concern' }).fields.note, 'Expression of concern');
  });

  it('writes trials and guidelines as misc entries with their publisher', () => {
    const [first, second] = [entryOf(trial), entryOf(guideline)];
    assert.deepEqual(
      [first.type, first.key, first.fields.howpublished],
      ['misc', 'anon2024zinc_NCT99000002', 'ClinicalTrials.gov'],
    );
    assert.deepEqual([second.type, second.key], ['misc', 'who2012effect_99000003']);
    assert.equal(first.fields.url, 'https://clinicaltrials.gov/study/NCT99000002');
  });

  it('escapes LaTeX special characters in titles, names and journals', () => {
    const { title, journal, author } = entryOf({
      ...article,
      title: '# $ % & _ {x} ~ ^ \\ end',
      journal: 'Food & Function',
      authors: ['R&D Group of 100%'],
    }).fields;
    assert.equal(title, '{\\# \\$ \\% \\& \\_ \\{x\\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{} end}');
    assert.equal(journal, 'Food \\& Function');
    assert.equal(author, '{R\\&D Group of 100\\%}');
  });

  it('stays parseable for titles with quotes, unbalanced braces and Unicode', () => {
    const sources = hardTitles.map((title, at) => ({ ...article, title, pmid: `9900010${at}` }));
    const titles = parsed(exported(formats.bibtex, sources)).map(({ fields }) => fields.title);
    assert.equal(titles[0], `{${hardTitles[0]}}`);
    assert.equal(
      titles[1],
      '{Effects of \\textbraceleft{}n-3\\textbraceright{} fatty acids \\textbraceright{} and a lone \\textbraceleft{} brace}',
    );
    assert.equal(titles[2], '{α-Lipoic acid, β-alanine and ω-3: Übersicht — 维生素 and ♥, 50\\% \\& more\\_}');
    assert.equal(titles.length, hardTitles.length);
  });

  it('gives papers with the same author, year and word distinct keys, which do not depend on the order', () => {
    const sources = [
      article,
      { ...article, pmid: '99000009' },
      { ...article, pmid: '', doi: '10.1000/a-b' },
      { ...article, pmid: '', doi: '10.1000/a_b' },
      { ...article, pmid: '', doi: '', sourceClass: 'clinical_trial' },
    ];
    const keys = parsed(exported(formats.bibtex, sources)).map(({ key }) => key);
    assert.equal(new Set(keys).size, sources.length);
    assert.deepEqual(
      parsed(exported(formats.bibtex, sources.toReversed())).map(({ key }) => key),
      keys.toReversed(),
    );
    for (const key of keys) assert.match(key, /^nguyenthi2012effect_[A-Za-z0-9-]+$/);
  });

  it('transliterates keys to ASCII', () => {
    const key = (author: string, title: string) => entryOf({ ...article, authors: [author], title }).key;
    assert.equal(key('Łukasz-Žižek Ø', 'β-Alanine'), 'lukaszzizek2012alanine_99000001');
    assert.equal(key("O'Brien K", 'The “Straße” of it'), 'obrien2012strasse_99000001');
    assert.equal(key('维生素', '维生素'), 'anon2012_99000001');
  });

  it('leaves out empty fields', () => {
    const { key, fields } = entryOf(bare);
    assert.match(key, /^anonnd_10-1000-bare-[0-9a-f]{8}$/);
    assert.deepEqual(fields, { doi: '10.1000/bare', url: 'https://doi.org/10.1000/bare', keywords: 'tier A' });
  });

  it('writes only a comment with the index version when there are no sources', () => {
    assert.equal(exported(formats.bibtex, []), '% index_version: 2026-11-20.1\n\n');
  });
});
