/** Defines the tool list_findings: results of reviews and trials with their figures. */
import { type Static, Type } from 'typebox';
import { FindingRecord, type FindingsReply } from '#plugins/findings/index.ts';
import { withinBudget } from '../budget.ts';
import { ask, defineTool } from '../tool.ts';

const record = FindingRecord.properties;

const Line = Type.Object({
  id: record.id,
  supplements: record.supplements,
  topic: record.topic,
  outcome: record.outcome,
  population: record.population,
  comparator: record.comparator,
  direction: record.direction,
  certainty: record.certainty,
  importance: record.importance,
  measure: record.measure,
  estimate: record.estimate,
  low: record.low,
  high: record.high,
  unit: record.unit,
  participants: record.participants,
  studies: record.studies,
  summary: record.summary,
  source: record.source,
  source_url: record.source_url,
  title: record.title,
  year: record.year,
});

const lineOf = (one: Static<typeof FindingRecord>): Static<typeof Line> => {
  const names = Object.keys(Line.properties) as (keyof Static<typeof Line>)[];
  return Object.fromEntries(names.map((name) => [name, one[name]])) as Static<typeof Line>;
};

const USUAL = 8;
const MOST = 12;

export const listFindings = defineTool({
  name: 'list_findings',
  title: 'Results of reviews and trials',
  description:
    'One result on one outcome from one source: effect with its 95 % interval, people, studies, and the certainty (GRADE) that the authors gave. A result holds for its own population only. No results mean that none was entered, not that something is safe or does not work.',
  input: Type.Object({
    supplement: Type.Optional(Type.String({ maxLength: 200, description: 'Slug or name.' })),
    topic: Type.Optional(Type.String({ maxLength: 200, description: 'Slug of the outcome, such as sleep.' })),
    condition: Type.Optional(
      Type.String({ maxLength: 200, description: 'Slug of the illness that the people have; `none` for none.' }),
    ),
    people: Type.Optional(record.people),
    certainty: Type.Optional(Type.String({ enum: ['high', 'moderate', 'low', 'very_low'] })),
    direction: Type.Optional(record.direction),
    limit: Type.Integer({ minimum: 1, maximum: MOST, default: USUAL }),
    page: Type.Integer({ minimum: 1, maximum: 10_000, default: 1 }),
  }),
  output: Type.Object({ findings: Type.Array(Line), total: Type.Integer() }),
  run: async ({ limit, page, ...filter }, call) => {
    const found = await ask<typeof FindingsReply>(call, 'findings.list', {
      query: { ...filter, use: 'main', page_size: limit, page },
    });
    const { value } = withinBudget({ findings: found.findings.map(lineOf) });
    return {
      value: { findings: value.findings, total: found.total },
      next: found.has_next ? { ...filter, limit, page: page + 1 } : null,
    };
  },
});
