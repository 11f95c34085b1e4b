/** Reviews supplements, conditions, topics and substances for `npm run content:check`. */
import { type FieldLocations, locateFields } from '#core/content-check/field-locations.ts';
import { linkedIn } from '#core/content-check/links.ts';
import type { Called, Named, Passage, Reviewed } from '#core/content-check/reviewed.ts';
import { claimsIn, plain } from '#core/content-check/sentences.ts';
import { readFrontMatter, readYaml } from '#core/content-file.ts';
import type { ContentFile } from '#core/plugin.ts';
import { citationSyntax } from '#core/render/citations.ts';
import { ConditionEntry } from './condition-schema.ts';
import { type SubstanceKind, SubstanceList } from './list-schemas.ts';
import type { EntryChanges } from './schema-parts.ts';
import { SupplementEntry, TopicList } from './schemas.ts';
import { isExplained } from './terms.ts';

/** Citation syntax in the text of an entry: `[@pmid:1; @doi:10.1/x]`. */
export const SOURCE_CITATIONS = citationSyntax(['pmid', 'doi', 'nct']);

const slugOf = (path: string): string => /([^/]+)\.\w+$/.exec(path)?.[1] ?? '';

/** Returns the ids of the cited sources, and the address of the authority's page if there is one. */
const citesOf = (sources: readonly string[] = [], authority?: { readonly address: string }): readonly string[] => [
  ...sources,
  ...(authority ? [authority.address] : []),
];

/** Returns the ids of a subject: a supplement and a substance with the same slug are one thing. */
export const subjectIds = (slug: string): string[] => [`supplement:${slug}`, `substance:${slug}`];

export const daysOf = (changes: EntryChanges = []): readonly string[] => changes.map(({ date }) => date);

/** Builds a passage for each change note; editors write these too, so they are checked like other text. */
export const changePassages = (
  changes: EntryChanges = [],
  at: ReturnType<typeof locateFields>['at'],
): readonly Passage[] =>
  changes.map(({ what }, n) => ({ ...at('changes', n), text: what, role: 'general', cites: [] }));

/** Categories of substances that everybody has in blood and food. */
const IN_EVERYBODY: readonly string[] = ['vitamin', 'mineral', 'fibre', 'protein', 'fatty-acid'];

export const reviewSupplement = (file: ContentFile): Reviewed => {
  const { data, body } = readFrontMatter(file, SupplementEntry);
  const { at, inBody } = locateFields(file);
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
    offers: [
      {
        ids: [subject],
        called: {
          names: [data.name, ...(data.latin_name ? [data.latin_name] : []), ...data.synonyms],
          kind: IN_EVERYBODY.includes(data.category) ? 'nutrient' : 'supplement',
        },
      },
      ...[...Map.groupBy(data.evidence, ({ topic }) => topic)].map(([topic, of]) => ({
        ids: [`finding:${slugOf(file.path)}/${topic}`],
        says: of.map(({ statement }) => statement).join(' '),
        about: subjectIds(slugOf(file.path)),
        warns: of.some(({ direction }) => direction === 'negative' || direction === 'mixed'),
      })),
    ],
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
      ...data.safety.map(({ statement, sources, authority, practice }, n) =>
        practice
          ? ({ ...at('safety', n, 'statement'), text: statement, role: 'general', cites: [] } as const)
          : claim(statement, citesOf(sources, authority), 'safety', n, 'statement'),
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

/** Slugs that an entry lists apart from its text; the page shows the sources of each. */
export interface Listed {
  readonly rules?: readonly string[] | undefined;
  readonly cautions?: readonly string[] | undefined;
  readonly substances?: readonly string[] | undefined;
  /** Topics whose findings the page shows in full. */
  readonly topics?: readonly string[] | undefined;
}

/** Returns a predicate that tests whether a page with these lists shows the item with a given id. */
export const listedIn = ({ rules = [], cautions = [], substances = [], topics = [] }: Listed) => {
  const ids = new Set([
    ...rules.map((slug) => `rule:${slug}`),
    ...cautions.map((name) => `caution:${name}`),
    ...substances.map((slug) => `substance:${slug}`),
  ]);
  return (id: string): boolean =>
    ids.has(id) || (id.startsWith('finding:') && topics.includes(id.slice(id.indexOf('/') + 1)));
};

export const listedNames = (
  { rules = [], cautions = [], substances = [] }: Listed,
  at: FieldLocations['at'],
): Named[] => [
  ...rules.map((rule, n) => ({ id: `rule:${rule}`, ...at('rules', n) })),
  ...cautions.map((caution, n) => ({ id: `caution:${caution}`, ...at('cautions', n) })),
  ...substances.map((slug, n) => ({ id: `substance:${slug}`, ...at('substances', n) })),
];

/** Builds the passages on who should see a doctor and when; the page marks them as general safety advice without a source. */
export const referrals = (
  { red_flags: flags = [], see_doctor: visits = [] }: { readonly red_flags?: string[]; readonly see_doctor?: string[] },
  at: FieldLocations['at'],
): Passage[] => [
  ...flags.map((text, n): Passage => ({ ...at('red_flags', n), text, role: 'general', cites: [] })),
  ...visits.map((text, n): Passage => ({ ...at('see_doctor', n), text, role: 'general', cites: [] })),
];

export const reviewCondition = (file: ContentFile): Reviewed => {
  const { data, body } = readFrontMatter(file, ConditionEntry);
  const { at, inBody } = locateFields(file);
  const restsOn = listedIn(data);
  return {
    kind: 'conditions',
    entries: 1,
    offers: [{ ids: [`condition:${slugOf(file.path)}`] }],
    names: [
      ...data.topics.map((topic, n) => ({ id: `topic:${topic}`, ...at('topics', n) })),
      ...listedNames(data, at),
      ...linkedIn(file, body, inBody(body)),
    ],
    reviewedAt: [data.updated_at],
    toldDays: daysOf(data.changes),
    passages: [
      { ...at('answer'), text: data.answer, role: 'told', cites: [], restsOn },
      ...data.ask.map((text, n): Passage => ({ ...at('ask', n), text, role: 'general', cites: [] })),
      ...referrals(data, at),
      ...changePassages(data.changes, at),
      { text: body, role: 'told', cites: [], restsOn, field: 'text', line: inBody(body)(0), lineAt: inBody(body) },
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

/** Kind under which the text names a substance: a medicine found as an adulterant of products is named as a medicine too. */
const KIND_IN_TEXT: Partial<Record<SubstanceKind, Called['kind']>> = {
  food: 'nutrient',
  additive: 'nutrient',
  adulterant: 'medicine',
};

export const reviewSubstances = (file: ContentFile): Reviewed => {
  const substances = readYaml(file, SubstanceList);
  const { at } = locateFields(file);
  return {
    kind: 'substances',
    entries: substances.length,
    offers: substances.map(({ slug, name, synonyms, statement, kind, authority }) => ({
      ids: [`substance:${slug}`],
      says: statement,
      // Without an authority it supports no sentence of another entry.
      about: authority ? subjectIds(slug) : [],
      warns: true,
      called: { names: [name, ...synonyms], kind: KIND_IN_TEXT[kind as SubstanceKind] ?? 'supplement' },
    })),
    names: [],
    passages: substances.map(
      ({ statement, authority, kind }, n): Passage => ({
        ...at(n, 'statement'),
        text: statement,
        // The statement of a food or supplement explains what it is; every other statement is a warning.
        role: isExplained(kind) ? 'general' : 'claim',
        cites: authority ? [authority.address] : [],
      }),
    ),
  };
};
