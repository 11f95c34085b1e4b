/** Supplements, conditions, topics and substances for `npm run content:check`. */
import { linkedIn } from '#core/content-check/links.ts';
import { placesIn } from '#core/content-check/places.ts';
import type { Named, Passage, Reviewed } from '#core/content-check/reviewed.ts';
import { claimsIn, plain } from '#core/content-check/sentences.ts';
import { readFrontMatter, readYaml } from '#core/content-file.ts';
import type { ContentFile } from '#core/plugin.ts';
import { citationSyntax } from '#core/render/citations.ts';
import { ConditionEntry } from './condition-schema.ts';
import { SubstanceList } from './list-schemas.ts';
import type { EntryChanges } from './schema-parts.ts';
import { SupplementEntry, TopicList } from './schemas.ts';

/** `[@pmid:1; @doi:10.1/x]` as the text of an entry writes it. */
export const SOURCE_CITATIONS = citationSyntax(['pmid', 'doi', 'nct']);

const slugOf = (path: string): string => /([^/]+)\.\w+$/.exec(path)?.[1] ?? '';

/** Sources by their ids, or the page of an authority. */
const citesOf = (sources: readonly string[] = [], authority?: { readonly address: string }): readonly string[] => [
  ...sources,
  ...(authority ? [authority.address] : []),
];

export const daysOf = (changes: EntryChanges = []): readonly string[] => changes.map(({ date }) => date);

/** What editors say that they changed: words of the house too. */
export const changePassages = (changes: EntryChanges = [], at: ReturnType<typeof placesIn>['at']): readonly Passage[] =>
  changes.map(({ what }, n) => ({ ...at('changes', n), text: what, role: 'general', cites: [] }));

export const reviewSupplement = (file: ContentFile): Reviewed => {
  const { data, body } = readFrontMatter(file, SupplementEntry);
  const { at, inBody } = placesIn(file);
  const subject = `supplement:${slugOf(file.path)}`;
  const claim = (text: string, cites: readonly string[], ...pointer: (string | number)[]): Passage => ({
    ...at(...pointer),
    text,
    role: 'claim',
    cites,
    subject,
  });
  const names: Named[] = data.evidence.map(({ topic }, n) => ({ id: `topic:${topic}`, ...at('evidence', n, 'topic') }));
  return {
    kind: 'supplements',
    entries: 1,
    offers: [{ ids: [subject] }],
    names: [...names, ...linkedIn(file, body, inBody(body))],
    reviewedAt: [data.updated_at],
    toldDays: daysOf(data.changes),
    passages: [
      { ...at('answer'), text: data.answer, role: 'summary', cites: [] },
      ...data.evidence.map(({ statement, sources }, n) =>
        claim(statement, citesOf(sources), 'evidence', n, 'statement'),
      ),
      ...data.dosing.map(({ dose, duration = '', sources }, n) =>
        claim(`${dose}. ${duration}`, citesOf(sources), 'dosing', n, 'dose'),
      ),
      ...data.safety.map(({ statement, sources, authority }, n) =>
        claim(statement, citesOf(sources, authority), 'safety', n, 'statement'),
      ),
      ...data.forms.flatMap(({ note = '', sources }, n): Passage[] =>
        sources
          ? [claim(note, citesOf(sources), 'forms', n, 'note')]
          : [{ ...at('forms', n), text: note, role: 'general', cites: [] }],
      ),
      ...data.unknown.map((text, n): Passage => ({ ...at('unknown', n), text, role: 'general', cites: [] })),
      ...changePassages(data.changes, at),
      { text: plain(body), role: 'summary', cites: [], field: 'text', line: inBody(body)(0) },
      ...claimsIn({ body, syntax: SOURCE_CITATIONS, subject, general: /^What it is$/, lineAt: inBody(body) }),
    ],
  };
};

export const reviewCondition = (file: ContentFile): Reviewed => {
  const { data, body } = readFrontMatter(file, ConditionEntry);
  const { at, inBody } = placesIn(file);
  return {
    kind: 'conditions',
    entries: 1,
    offers: [{ ids: [`condition:${slugOf(file.path)}`] }],
    names: [
      ...data.topics.map((topic, n) => ({ id: `topic:${topic}`, ...at('topics', n) })),
      ...(data.rules ?? []).map((rule, n) => ({ id: `rule:${rule}`, ...at('rules', n) })),
      ...(data.cautions ?? []).map((caution, n) => ({ id: `caution:${caution}`, ...at('cautions', n) })),
      ...(data.substances ?? []).map((slug, n) => ({ id: `substance:${slug}`, ...at('substances', n) })),
      ...linkedIn(file, body, inBody(body)),
    ],
    reviewedAt: [data.updated_at],
    toldDays: daysOf(data.changes),
    passages: [
      { ...at('answer'), text: data.answer, role: 'general', cites: [] },
      ...data.ask.map((text, n): Passage => ({ ...at('ask', n), text, role: 'general', cites: [] })),
      ...changePassages(data.changes, at),
      { text: plain(body), role: 'general', cites: [], field: 'text', line: inBody(body)(0) },
    ],
  };
};

export const reviewTopics = (file: ContentFile): Reviewed => {
  const topics = readYaml(file, TopicList);
  return {
    kind: 'topics',
    entries: topics.length,
    offers: topics.map(({ slug }) => ({ ids: [`topic:${slug}`] })),
    names: [],
    passages: [],
  };
};

export const reviewSubstances = (file: ContentFile): Reviewed => {
  const substances = readYaml(file, SubstanceList);
  const { at } = placesIn(file);
  return {
    kind: 'substances',
    entries: substances.length,
    offers: substances.map(({ slug }) => ({ ids: [`substance:${slug}`] })),
    names: [],
    passages: substances.map(
      ({ statement, authority, kind }, n): Passage => ({
        ...at(n, 'statement'),
        text: statement,
        // A food is explained, every other is a warning.
        role: kind === 'food' ? 'general' : 'claim',
        cites: authority ? [authority.address] : [],
      }),
    ),
  };
};
