/** Reads content/plan.yaml: the verticals that editors maintain, and the questions that people ask most. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { readYaml } from '#core/content-file.ts';

const PlannedQuestion = Type.Object(
  {
    /** The question as a person would ask it. */
    question: Type.String({ minLength: 8, maxLength: 200 }),
    supplement: Type.String(),
    topic: Type.String(),
    people: Type.String(),
    /** Slug of the people's illness, `other:…` for one without a page. */
    condition: Type.Optional(Type.String()),
    /** Day on which editors searched and found no sound study; absent otherwise. */
    searched: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  },
  { additionalProperties: false },
);
export type PlannedQuestion = Static<typeof PlannedQuestion>;

const PlanFile = Type.Object(
  { verticals: Type.Array(Type.String()), questions: Type.Optional(Type.Array(PlannedQuestion)) },
  { additionalProperties: false },
);

export interface Plan {
  readonly verticals: ReadonlySet<string>;
  readonly questions: readonly PlannedQuestion[];
}

/** Reads the plan; returns an empty plan when the file does not exist. */
export const readPlan = async (contentDir: string): Promise<Plan> => {
  const text = await readFile(join(contentDir, 'plan.yaml'), 'utf8').catch(() => null);
  if (text === null) return { verticals: new Set(), questions: [] };
  const { verticals, questions = [] } = readYaml({ path: 'plan.yaml', text, digest: '' }, PlanFile);
  return { verticals: new Set(verticals), questions };
};
