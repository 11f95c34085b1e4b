/** content/plan.yaml: the verticals that editors maintain, and the questions that people ask most. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { readYaml } from '#core/content-file.ts';

const PlannedQuestion = Type.Object(
  {
    /** As a person would ask it. */
    question: Type.String({ minLength: 8, maxLength: 200 }),
    supplement: Type.String(),
    topic: Type.String(),
    people: Type.String(),
    /** Slug of the illness that the people have, `other:…` for one without a page. */
    condition: Type.Optional(Type.String()),
    /** Set when editors searched and found no sound study. */
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

/** Returns an empty plan where there is no file. */
export const readPlan = async (contentDir: string): Promise<Plan> => {
  const text = await readFile(join(contentDir, 'plan.yaml'), 'utf8').catch(() => null);
  if (text === null) return { verticals: new Set(), questions: [] };
  const { verticals, questions = [] } = readYaml({ path: 'plan.yaml', text, digest: '' }, PlanFile);
  return { verticals: new Set(verticals), questions };
};
