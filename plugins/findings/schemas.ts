import { Type } from 'typebox';
import { pageMembers, pageQuery, ResolvedName } from '#plugins/vocabulary/index.ts';
import {
  BIASES,
  FINDING_CERTAINTIES,
  FINDING_DESIGNS,
  FINDING_DIRECTIONS,
  FINDING_MEASURES,
  IMPORTANCES,
  PEOPLE,
  USES,
} from './vocabulary.ts';

const word = (values: readonly string[], description?: string) =>
  Type.String({ enum: [...values], ...(description && { description }) });
const wordOrNone = (values: readonly string[], description: string) =>
  Type.String({ enum: [...values, ''], description });
const nullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const nullableInteger = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const FindingRecord = Type.Object({
  id: Type.String({ description: 'Source and row, such as `pmid:27589952#1a`.' }),
  source: Type.String({ description: '`pmid:…`, `doi:…`, or the address of an authority’s page.' }),
  source_url: Type.String(),
  title: Type.String(),
  year: nullableInteger('Of publication.'),
  journal: Type.String(),
  first_author: Type.String(),
  design: word(FINDING_DESIGNS, '`authority` is the page of a public authority; it never states a benefit here.'),
  use: word(USES, '`main` findings are graded; `subgroup` and `unmapped` ones are listed only.'),
  supplements: Type.Array(Type.String(), {
    description: 'Slugs. Several were given together, and grade none of them alone.',
  }),
  topic: Type.String(),
  vertical: Type.String({ description: 'Supplement and topic; "" for a combination.' }),
  people: word(PEOPLE),
  condition: Type.String({
    description: 'Slug of the illness that the people have, `other:…` for one without a page here; "" for none.',
  }),
  population: Type.String({ description: 'Who was studied, in words.' }),
  comparator: Type.String(),
  dose: Type.String({ description: 'As studied; no advice.' }),
  follow_up: Type.String(),
  outcome: Type.String(),
  better_when: Type.String({ enum: ['higher', 'lower', ''] }),
  measure: wordOrNone(FINDING_MEASURES, '`rate` is a ratio of rates, `RD` a difference of risks; "" without a figure.'),
  estimate: nullableNumber('Null where the source states no figure.'),
  low: nullableNumber('Lower end of the 95 % interval.'),
  high: nullableNumber('Upper end of the 95 % interval.'),
  unit: Type.String({ description: 'UCUM or plain; "" for ratios and SMD.' }),
  risk_without: nullableNumber('Per 1,000 people, or a mean in `unit`.'),
  risk_with: nullableNumber('Per 1,000 people, or a mean in `unit`.'),
  participants: nullableInteger('People behind the figure.'),
  participants_at_least: nullableInteger('At least so many people, where the exact number is not confirmed.'),
  studies: nullableInteger('Studies behind the figure.'),
  certainty: wordOrNone(FINDING_CERTAINTIES, 'GRADE, as the authors rate it; "" where they do not.'),
  bias: wordOrNone(BIASES, 'Risk of bias of most trials, as the authors judge it.'),
  i2: nullableNumber('I², in per cent.'),
  direction: word(FINDING_DIRECTIONS, 'What it means for the person.'),
  importance: word(IMPORTANCES),
  summary: Type.String(),
  doubtful: Type.Boolean({ description: 'A large effect of small trials that nobody has confirmed.' }),
});

export const FindingsQuery = Type.Object({
  supplement: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'A slug, a name, a synonym or an id; combinations that contain it come too.',
    }),
  ),
  topic: Type.Optional(Type.String({ maxLength: 200 })),
  vertical: Type.Optional(Type.String({ maxLength: 200 })),
  condition: Type.Optional(Type.String({ maxLength: 200, description: 'Slug; `none` for people without an illness.' })),
  people: Type.Optional(word(PEOPLE)),
  source: Type.Optional(Type.String({ maxLength: 320, description: '`pmid:…`, `doi:…`, or an address.' })),
  design: Type.Optional(word(FINDING_DESIGNS)),
  certainty: Type.Optional(word(FINDING_CERTAINTIES)),
  direction: Type.Optional(word(FINDING_DIRECTIONS)),
  importance: Type.Optional(word(IMPORTANCES)),
  use: Type.Optional(word(USES)),
  ...pageQuery,
});

export const FindingsReply = Type.Object({
  findings: Type.Array(FindingRecord),
  ...pageMembers,
  resolved: Type.Array(ResolvedName, { description: 'What `supplement` was read as; empty for an unknown name.' }),
});
