/** Defines the tool get_supplement, which returns the data on one supplement in parts. */
import { type Static, Type } from 'typebox';
import { coreErrors } from '#core/errors.ts';
import type { CallRoute } from '#core/plugin.ts';
import type { OutcomesReply } from '#plugins/outcomes/index.ts';
import type { ResolveAnswer, SupplementRecord } from '#plugins/vocabulary/index.ts';
import { ask, defineTool, nullable } from '../tool.ts';

const PARTS = ['overview', 'evidence', 'dosing', 'safety', 'forms'] as const;
type Part = (typeof PARTS)[number];
const Entry = Type.Object({}, { additionalProperties: true, description: 'As the entry has it, with its sources.' });

const Outcome = Type.Object({
  outcome: Type.String(),
  assessed: Type.Boolean({ description: 'False: nobody has assessed it, so certainty and direction say nothing.' }),
  population: Type.String({ description: 'Whom certainty and direction are about.' }),
  certainty: Type.String(),
  direction: Type.String(),
  size: Type.String(),
  people: Type.String(),
  source_count: Type.Integer(),
  best_tier: Type.String(),
  vertical: Type.String(),
});

type Resolved = Static<typeof ResolveAnswer>;

const slugOf = async (call: CallRoute, name: string): Promise<{ slug: string; readAs: string; sure: boolean }> => {
  const { resolved, near, warning } = await ask<typeof ResolveAnswer>(call, 'names.resolve', {
    query: { name, kind: 'supplement' },
  });
  if (resolved)
    return {
      slug: resolved.slug,
      readAs: resolved.name,
      sure: resolved.match_type !== 'typo' || resolved.confidence > 0.9,
    };
  const other = await ask<typeof ResolveAnswer>(call, 'names.resolve', { query: { name } });
  throw unknown(name, near, warning ?? other.warning);
};

/** Builds the not-found error, with a warning when the name belongs to a banned or restricted substance. */
const unknown = (name: string, near: Resolved['near'], warning: Resolved['warning']) =>
  coreErrors.not_found(
    { resource: 'Supplement', id: name },
    { body: { did_you_mean: near.map((hit) => hit.name), ...(warning && { warning: warning.statement }) } },
  );

const outcomesOf = async (call: CallRoute, slug: string, size: number) => {
  const { outcomes, total } = await ask<typeof OutcomesReply>(call, 'outcomes.list', {
    query: { supplement: slug, page_size: size },
  });
  return {
    total,
    outcomes: outcomes.map((one) => ({
      outcome: one.outcome,
      assessed: one.assessed,
      population: one.population,
      certainty: one.certainty,
      direction: one.direction,
      size: one.magnitude.level,
      people: one.people,
      source_count: one.source_count,
      best_tier: one.best_tier,
      vertical: one.vertical,
    })),
  };
};

const entriesOf = (record: Static<typeof SupplementRecord>, part: Part): Record<string, unknown>[] =>
  part === 'dosing' || part === 'safety' || part === 'forms' ? (record[part] as Record<string, unknown>[]) : [];

export const getSupplement = defineTool({
  name: 'get_supplement',
  title: 'One supplement',
  description:
    'What the base has on one supplement: `overview` (what it is, its main outcomes, upper limit), `evidence` (certainty and direction for every outcome), `dosing` (doses as studied: no advice), `safety` (what is known; what is not listed is not thereby safe), `forms`.',
  input: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Slug, name, synonym, Latin name or misspelling.' }),
    part: Type.String({ enum: [...PARTS], default: 'overview' }),
  }),
  output: Type.Object({
    slug: Type.String(),
    name: Type.String(),
    read_as_sure: Type.Boolean({ description: 'False: the name was guessed; ask before relying on it.' }),
    part: Type.String(),
    answer: Type.String({ description: 'The short answer at the head of its page.' }),
    legal_status: nullable(
      Type.Unknown({
        description: 'What an authority says of a supplement that is banned or restricted; null for others.',
      }),
    ),
    synonyms: Type.Array(Type.String()),
    upper_limit: nullable(Type.Unknown({ description: 'Of a day, by the authority named in it; null: none is set.' })),
    outcomes: Type.Array(Outcome),
    outcomes_total: Type.Integer(),
    entries: Type.Array(Entry),
    unknown: Type.Array(Type.String(), { description: 'What nobody knows yet.' }),
    url: Type.String(),
  }),
  run: async ({ name, part: given }, call) => {
    const part = given as Part;
    const { slug, readAs, sure } = await slugOf(call, name);
    const record = await ask<typeof SupplementRecord>(call, 'supplements.read', { params: { slug } });
    const wants = { overview: 6, evidence: 100 }[part as string] ?? 0;
    const { outcomes, total } = wants ? await outcomesOf(call, slug, wants) : { outcomes: [], total: 0 };
    const isOverview = part === 'overview';
    return {
      value: {
        slug,
        name: readAs,
        read_as_sure: sure,
        part,
        answer: record.answer,
        legal_status: record.legal_status,
        synonyms: isOverview ? record.synonyms.slice(0, 12) : [],
        upper_limit: isOverview || part === 'dosing' ? (record.intake?.upper_limit ?? null) : null,
        outcomes,
        outcomes_total: total,
        entries: entriesOf(record, part),
        unknown: isOverview || part === 'safety' ? record.unknown : [],
        url: record.url,
      },
      next: isOverview ? { name: slug, part: 'safety' } : null,
      kept: ['/answer'],
    };
  },
});
