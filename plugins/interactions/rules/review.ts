/** Reviews rules, cautions, depletions and signals for `npm run content:check`. */
import { locateFields } from '#core/content-check/field-locations.ts';
import type { Passage, Reviewed } from '#core/content-check/reviewed.ts';
import { readYaml } from '#core/content-file.ts';
import type { ContentFile } from '#core/plugin.ts';
import { changePassages, daysOf, type EntryChanges, subjectIds } from '#plugins/vocabulary/index.ts';
import { PENDING, UNSOURCED } from './due-kinds.ts';
import { DepletionList, FormList, InteractionFile, type RuleEntry, type RuleSource, SignalFile } from './schemas.ts';

/** Returns the citations: a source in the database, the page of an authority, or a paper of which only the title is known. */
const citesOf = (sources: readonly RuleSource[]): string[] =>
  sources.flatMap(
    ({ ref, pmid, doi, address }) =>
      ref ?? address ?? (pmid ? `https://pubmed.ncbi.nlm.nih.gov/${pmid}/` : `https://doi.org/${doi}`),
  );

/** Returns the ids of the rule's targets. */
const targetsOf = ({ class: group, drug, supplement, food }: RuleEntry['with']): string[] => [
  ...(group ? [`class:${group}`] : []),
  ...(drug ? [`drug:${drug.toLowerCase()}`] : []),
  ...[supplement, food].flatMap((slug) => (slug ? subjectIds(slug) : [])),
];

const isPractice = (sources: readonly RuleSource[]): boolean => sources.every(({ practice }) => practice);

export const reviewRules = (file: ContentFile): Reviewed => {
  const { subject, rules = [], cautions = [] } = readYaml(file, InteractionFile);
  const { at } = locateFields(file);
  const about = subjectIds(subject);
  const passagesOf = (
    kind: 'rules' | 'cautions',
    entries: readonly {
      readonly effect: string;
      readonly recommendation: string;
      readonly sources: readonly RuleSource[];
      readonly changes?: EntryChanges;
    }[],
  ): Passage[] =>
    entries.flatMap(({ effect, recommendation, sources, changes }, n): Passage[] => [
      { ...at(kind, n, 'effect'), text: effect, role: 'claim', cites: citesOf(sources) },
      { ...at(kind, n, 'recommendation'), text: recommendation, role: 'advice', cites: [] },
      ...changePassages(changes, (...pointer) => at(kind, n, ...pointer)),
    ]);
  return {
    kind: 'interactions',
    entries: rules.length + cautions.length,
    offers: [
      ...rules.map((rule) => ({
        ids: [`rule:${rule.slug}`],
        says: JSON.stringify(rule),
        about: [...about, ...targetsOf(rule.with)],
        warns: true,
      })),
      // One subject may have several cautions for states without a code of their own.
      ...[...Map.groupBy(cautions, ({ condition }) => condition)].map(([condition, of]) => ({
        ids: [`caution:${subject}/${condition}`],
        says: JSON.stringify(of),
        about,
        warns: true,
      })),
    ],
    names: [],
    reviewedAt: [...rules, ...cautions].flatMap(({ reviewed_at: day }) => day ?? []),
    due: [
      ...rules.flatMap(({ slug, sources }, n) =>
        isPractice(sources)
          ? [{ kind: PENDING, line: at('rules', n).line(), words: `${slug}: no source has been opened` }]
          : [],
      ),
      ...cautions.flatMap(({ condition, name, sources }, n) =>
        isPractice(sources)
          ? [
              {
                kind: UNSOURCED,
                line: at('cautions', n).line(),
                words: `${subject}, ${name ?? condition}: no source has been opened`,
              },
            ]
          : [],
      ),
    ],
    toldDays: [...rules, ...cautions].flatMap(({ changes }) => daysOf(changes)),
    passages: [...passagesOf('rules', rules), ...passagesOf('cautions', cautions)],
  };
};

export const reviewDepletions = (file: ContentFile): Reviewed => {
  const entries = readYaml(file, DepletionList);
  const { at } = locateFields(file);
  return {
    kind: 'depletions',
    entries: entries.length,
    offers: [],
    names: [],
    toldDays: entries.flatMap(({ changes }) => daysOf(changes)),
    passages: entries.map(
      ({ effect, note, sources }, n): Passage => ({
        ...at(n, 'effect'),
        text: `${effect} ${note}`,
        role: 'claim',
        cites: citesOf(sources),
      }),
    ),
  };
};

export const reviewForms = (file: ContentFile): Reviewed => ({
  kind: 'supplement-forms',
  entries: readYaml(file, FormList).length,
  offers: [],
  names: [],
  passages: [],
});

export const reviewSignals = (file: ContentFile): Reviewed => ({
  kind: 'signals',
  entries: readYaml(file, SignalFile).signals.length,
  offers: [],
  names: [],
  passages: [],
});
