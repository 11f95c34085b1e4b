/** Request and response schemas of the outcome routes. */
import { Type } from 'typebox';
import { GROUPS } from '#plugins/evidence/index.ts';
import { pageMembers, pageQuery, ResolvedName } from '#plugins/vocabulary/index.ts';
import { GAP_REASONS } from './gaps.ts';
import { ASSESSMENT_BASES } from './grading/assessment.ts';
import { CERTAINTIES, MAGNITUDES, MEASURES, SIZE_LIMITS } from './grading/method.ts';
import { LIFE_STAGES } from './grading/population.ts';
import { TOPIC_KINDS } from './topic-kinds.ts';

const word = (values: readonly string[]) => Type.String({ enum: [...values] });
const DIRECTIONS = ['positive', 'null', 'negative', 'mixed', 'unclear'] as const;
const nullableNumber = Type.Union([Type.Number(), Type.Null()]);
const nullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const slug = Type.Optional(Type.String({ maxLength: 200 }));
const supplement = Type.Optional(
  Type.String({ maxLength: 200, description: 'A slug, a name, a synonym or an id; `resolved` says how it was read.' }),
);
const resolved = Type.Array(ResolvedName, { description: 'What `supplement` was read as; empty for an unknown name.' });
const TierOrNone = Type.String({ enum: ['A', 'B', 'C', 'D', ''], description: 'Of the best source; "" for none.' });
const Certainty = Type.String({ enum: [...CERTAINTIES], description: 'How far the direction can be relied on.' });
const Direction = Type.String({
  enum: [...DIRECTIONS],
  description: 'Seen from the supplement: `negative` is harm, or worse than the comparison. Only editors judge it.',
});
const People = Type.String({ description: '"1,208", "at least 1,208", "not stated" or "none".' });

const Group = Type.String({ enum: Object.keys(GROUPS) });

const Effect = Type.Object({
  source_id: Type.String(),
  topic: Type.String(),
  measure: word(Object.keys(MEASURES)),
  value: Type.Number(),
  low: Type.Optional(Type.Number()),
  high: Type.Optional(Type.Number()),
  unit: Type.Optional(Type.String()),
  outcome: Type.String(),
  direction: word(DIRECTIONS),
  population: Type.String({ description: 'Whom it was measured in; "" where the source does not say.' }),
  groups: Type.Array(Group, { description: 'Set when it was measured in such people alone: no size for others.' }),
  people: Type.Optional(Type.Integer({ description: 'Behind the figure, where they are a part of the source’s.' })),
});

const Magnitude = Type.Object({
  level: word(MAGNITUDES),
  basis: Type.String({ description: 'The figure it rests on, whom it was measured in, or why there is none.' }),
  limits: Type.Array(word(Object.keys(SIZE_LIMITS)), {
    description: 'Why the size is not what the figure alone would be called; mostly empty.',
  }),
  effect: Type.Union([Effect, Type.Null()]),
  smallest: Type.Optional(
    Type.Object(
      { scale: Type.String(), value: Type.Number(), unit: Type.String(), source: Type.String(), title: Type.String() },
      { description: 'The smallest difference that matters on this scale, and the source that states it.' },
    ),
  ),
});

const Trial = Type.Object({
  nct_id: Type.String(),
  title: Type.String(),
  status: Type.String({ description: 'The register’s word, such as RECRUITING; "" where our record has none.' }),
  year: nullableInteger,
  randomised: Type.Union([Type.Boolean(), Type.Null()]),
  people: nullableInteger,
});

const Figures = Type.Object({
  sources: Type.Integer(),
  counted: Type.Integer({ description: 'In people, with results, not retracted: what the grade can rest on.' }),
  judged: Type.Integer({ description: 'Of those, judged on this outcome by an editor.' }),
  people: Type.Object({ count: nullableInteger, at_least: Type.Boolean(), text: Type.String() }),
  studies: nullableInteger,
  registered: Type.Integer(),
  not_in_people: Type.Integer(),
  only_listed: Type.Integer({ description: 'Papers of which only the title is stored; they count for nothing.' }),
  retracted: Type.Integer(),
  best_tier: Type.Union([Type.String(), Type.Null()]),
  newest_year: nullableInteger,
  randomised_trials: Type.Integer(),
  reviews: Type.Integer(),
  observational: Type.Integer({ description: 'Cohorts, case-control studies and reviews of such.' }),
  largest_trial: nullableInteger,
  with_population: Type.Integer(),
  only_groups: Type.Array(Group, { description: 'Set when nobody else is known to have been studied.' }),
  open_trials: Type.Array(Trial),
  weights: Type.Record(Type.String(), Type.Number()),
  unjudged_weight: Type.Number(),
  agreement: Type.Number(),
});

const Reason = Type.Object({ code: Type.String(), steps: Type.Integer(), text: Type.String() });
const Cap = Type.Object({ code: Type.String(), ceiling: word(CERTAINTIES), reason: Type.String() });

const AssessedPopulation = Type.Object({
  people: word(LIFE_STAGES),
  condition: Type.String({
    description: 'Slug of the illness, `other:…` for one without a page here; "" for people without an illness.',
  }),
  text: Type.String({ description: 'The same in words: "adults with depression".' }),
});

const Assessment = Type.Object({
  population: AssessedPopulation,
  basis: Type.String({
    enum: [...ASSESSMENT_BASES],
    description:
      '`review`: the certainty is the one that the authors of a review gave; `findings`: worked out from findings; `authority`: the page of a public authority states it; `sources`: from what editors and a program read in sources.',
  }),
  direction: Direction,
  certainty: Certainty,
  magnitude: Magnitude,
  summary: Type.String({ description: 'The answer in a sentence of ours; "" when the basis is sources.' }),
  lead: Type.String({ description: 'Id of the finding that leads, see /api/findings; "" when the basis is sources.' }),
  people: Type.Union([Type.Integer(), Type.Null()]),
  studies: Type.Union([Type.Integer(), Type.Null()]),
  outcomes: Type.Array(
    Type.Object({
      finding: Type.String(),
      outcome: Type.String(),
      direction: Direction,
      certainty: Certainty,
      importance: Type.String({ enum: ['critical', 'important', 'surrogate', 'harm'] }),
    }),
    { description: 'Every outcome on the question, the leading one first.' },
  ),
  harms: Type.Array(Type.String(), { description: 'Ids of findings of harm in these people.' }),
  compared: Type.Array(Type.String(), { description: 'Ids of findings that compare it with another treatment.' }),
  combined: Type.Array(Type.String(), { description: 'Ids of findings on it together with other supplements.' }),
  reasons: Type.Array(Reason),
  caps: Type.Array(Cap),
});

const outcomeMembers = {
  vertical: Type.String(),
  supplement_slug: Type.String(),
  supplement: Type.String(),
  topic: Type.String(),
  outcome: Type.String(),
  assessed: Type.Boolean({
    description:
      'Read this first. False: nobody has assessed the question, so `certainty` (`very_low`) and `direction` (`unclear`) say nothing.',
  }),
  population: Type.String({ description: 'Whom the grade is about; "" when it is not assessed.' }),
  assessments: Type.Array(Assessment, {
    description: 'One for each population that is assessed. The grade of the question is that of the first.',
  }),
  certainty: Certainty,
  direction: Direction,
  magnitude: Magnitude,
  source_count: Type.Integer(),
  people: People,
  best_tier: TierOrNone,
  figures: Figures,
  caps: Type.Array(Cap),
  reasons: Type.Array(Reason),
  method_version: Type.String(),
  first_graded_at: Type.String({ format: 'date-time' }),
  graded_at: Type.String({ format: 'date-time' }),
};

export const Outcome = Type.Object(outcomeMembers);

const GradeInBrief = Type.Object({ certainty: Type.String(), direction: Type.String(), magnitude: Type.String() });

export const OutcomeReply = Type.Object({
  ...outcomeMembers,
  history: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time' }),
      old: GradeInBrief,
      new: Type.Union([GradeInBrief, Type.Null()], { description: 'Null: the base lost every source on it.' }),
      reason: Type.String(),
      sources: Type.Array(Type.String(), { description: 'Those that came, left or were retracted; at most 20.' }),
      method_version: Type.String(),
    }),
    { description: 'Changes of certainty, direction or size, newest first. A first grade is no change.' },
  ),
});

export const OutcomesQuery = Type.Object({
  vertical: slug,
  supplement,
  topic: slug,
  certainty: Type.Optional(word(CERTAINTIES)),
  condition: Type.Optional(
    Type.String({ maxLength: 200, description: 'Slug of an illness: questions assessed in people who have it.' }),
  ),
  assessed: Type.Optional(
    Type.Boolean({ description: 'Only questions that are assessed, or only those that are not.' }),
  ),
  ...pageQuery,
});
export const OutcomesReply = Type.Object({
  outcomes: Type.Array(Outcome),
  ...pageMembers,
  resolved,
});
export const VerticalParams = Type.Object({ vertical: Type.String({ maxLength: 200 }) });

const Dose = Type.Object({
  context: Type.String(),
  dose: Type.String(),
  duration: Type.String(),
  sources: Type.Array(Type.String()),
});

export const InterventionsQuery = Type.Object({
  vertical: slug,
  supplement,
  topic: slug,
  condition: Type.Optional(
    Type.String({ maxLength: 200, description: 'Slug of an illness: only what was assessed in people who have it.' }),
  ),
  ...pageQuery,
});
export const InterventionsReply = Type.Object({
  interventions: Type.Array(
    Type.Object({
      slug: Type.String(),
      name: Type.String(),
      vertical: Type.String(),
      outcome: Type.String(),
      population: Type.String({ description: 'Whom certainty, direction and size are about.' }),
      source_count: Type.Integer(),
      best_tier: TierOrNone,
      direction: Direction,
      doses: Type.Array(Dose, {
        description:
          'As studied, from the supplement’s entry; no advice. None of infants, children, pregnancy or breastfeeding.',
      }),
      special_doses: Type.Array(
        Type.Object({ ...Dose.properties, groups: Type.Array(Group), population: Type.String() }),
        { description: 'Doses that were studied in such people alone, and in whom.' },
      ),
      kind: Type.String({
        enum: [...TOPIC_KINDS],
        description:
          '`health`; `measurement`: a value that stands for it; `own_level`: how much of the supplement reaches the body; `safety`.',
      }),
      certainty: Certainty,
      people: People,
      magnitude: Magnitude,
      topic: Type.String(),
    }),
  ),
  ...pageMembers,
  resolved,
});

export const GapsQuery = Type.Object({
  vertical: slug,
  supplement,
  topic: slug,
  reason: Type.Optional(word(GAP_REASONS)),
  with_trials: Type.Boolean({ default: false, description: 'Only gaps that a registered trial would fill.' }),
  ...pageQuery,
});
export const GapsReply = Type.Object({
  gaps: Type.Array(
    Type.Object({
      vertical: Type.String(),
      supplement_slug: Type.String(),
      topic: Type.String(),
      reason: word(GAP_REASONS),
      source_count: Type.Integer(),
      best_tier: TierOrNone,
      ongoing_trials: Type.Array(Type.String(), {
        description:
          'NCT ids of registered trials that would fill the gap: planned, under way, or of unknown status and begun in the last five years.',
      }),
      text: Type.String(),
      numbers: Type.Record(Type.String(), nullableNumber),
      trials: Type.Array(Trial),
    }),
  ),
  as_of_year: Type.Integer(),
  ...pageMembers,
  resolved,
});

export const TrendingRequest = Type.Object({
  months: Type.Integer({ minimum: 1, maximum: 120, default: 12 }),
  min_score: Type.Integer({ minimum: 0, maximum: 100, default: 50 }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 20 }),
});
const Window = Type.Object({ from: Type.Integer(), to: Type.Integer() });
export const TrendingReply = Type.Object({
  trending: Type.Array(
    Type.Object({
      supplement_slug: Type.String(),
      name: Type.String(),
      recent_count: Type.Integer(),
      previous_count: Type.Integer(),
      change_pct: Type.Union([Type.Number(), Type.Null()], { description: 'Null where the numbers are too small.' }),
      relative_change_pct: nullableNumber,
      interval: Type.Union([
        Type.Object({ low: Type.Number(), high: Type.Number(), level: Type.Number() }),
        Type.Null(),
      ]),
      top_sources: Type.Array(
        Type.Object({
          source_id: Type.String(),
          title: Type.String(),
          year: nullableInteger,
          quality_tier: Type.String(),
          quality_score: Type.Number(),
          url: Type.String(),
        }),
      ),
    }),
  ),
  months: Type.Integer(),
  windows: Type.Object({ recent: Window, previous: Window }),
  base: Type.Object({ recent_count: Type.Integer(), previous_count: Type.Integer() }),
  method: Type.Object({ version: Type.String(), summary: Type.String(), rules: Type.Array(Type.String()) }),
  method_version: Type.String(),
  generated_at: Type.String({ format: 'date-time' }),
});
