/** Defines the tool check_interactions. */
import { type Static, Type } from 'typebox';
import type { StackReply } from '#plugins/interactions/index.ts';
import { ask, defineTool, nullable } from '../tool.ts';

const MOST_NAMES = 12;
const MOST_SOURCES = 3;
const Names = (description: string) =>
  Type.Array(Type.String({ maxLength: 120 }), { maxItems: MOST_NAMES, default: [], description });

const Found = Type.Object({
  a: Type.String(),
  b: Type.String(),
  severity: Type.String(),
  action: Type.String(),
  effect: Type.String(),
  recommendation: Type.String(),
  likelihood: Type.String(),
  evidence_tier: Type.String(),
  mechanism: Type.String(),
  basis: Type.String({ description: '`class`: expected from the class of medicine, not seen of this one.' }),
  timing: nullable(Type.Object({ separate_hours: nullable(Type.Number()), note: nullable(Type.String()) })),
  sources: Type.Array(Type.Object({ title: Type.String(), year: nullable(Type.Integer()), url: Type.String() })),
  url: Type.String(),
});

type Stack = Static<typeof StackReply>;

const findingOf = (one: Stack['findings'][number]): Static<typeof Found> => ({
  a: one.a.name,
  b: one.b.name,
  severity: one.severity,
  action: one.action,
  effect: one.effect,
  recommendation: one.recommendation,
  likelihood: one.likelihood,
  evidence_tier: one.evidence_tier,
  mechanism: one.mechanism.detail,
  basis: one.basis,
  timing: one.timing,
  sources: one.sources.slice(0, MOST_SOURCES).map(({ title, year, url }) => ({ title, year, url })),
  url: one.url,
});

const pairsOf = ({ matrix }: Stack, status: string): string[] =>
  matrix.filter((cell) => cell.status === status).map(({ a, b }) => `${a.name} × ${b.name}`);

export const checkInteractions = defineTool({
  name: 'check_interactions',
  title: 'Check a stack for interactions',
  description:
    'Checks supplements, medicines and foods with each other, and supplements with conditions. `no_record` means that our sources hold nothing on the pair: it never means that the pair is safe, and must not be told so. Medicine with medicine is not covered: a pharmacist can check it. Names that were not understood stand in `unresolved` and were not checked.',
  input: Type.Object({
    supplements: Names('Slug, name, synonym or Latin name.'),
    drugs: Names('Generic or brand names, or classes.'),
    foods: Names('Such as grapefruit.'),
    conditions: Names('States of a person, such as pregnancy, surgery, kidney disease.'),
  }),
  output: Type.Object({
    message: Type.String({ description: 'To be told whatever was found.' }),
    worst: nullable(Type.String()),
    findings: Type.Array(Found, { description: 'The gravest first.' }),
    cautions: Type.Array(
      Type.Object({
        supplement: Type.String(),
        condition: Type.String(),
        severity: Type.String(),
        effect: Type.String(),
        recommendation: Type.String(),
      }),
    ),
    depletions: Type.Array(Type.Object({ drug: Type.String(), nutrient: Type.String(), effect: Type.String() })),
    unresolved: Type.Array(Type.Object({ input: Type.String(), suggestions: Type.Array(Type.String()) }), {
      description: 'Not checked.',
    }),
    read_as: Type.Array(Type.Object({ input: Type.String(), name: Type.String(), confidence: Type.Number() })),
    needs_confirmation: Type.Boolean({ description: 'A name was guessed: ask before relying on it.' }),
    no_record: Type.Array(Type.String(), { description: 'Nothing in our sources. This does not mean safe.' }),
    not_covered: Type.Array(Type.String(), { description: 'Medicine with medicine: not looked up here.' }),
    authorities: Type.Array(Type.Object({ name: Type.String(), url: Type.String() }), {
      description: 'Where authorities say what is not covered here: to be passed on.',
    }),
    counts: Type.Object({
      pairs: Type.Integer(),
      found: Type.Integer(),
      no_record: Type.Integer(),
      not_covered: Type.Integer(),
      unresolved: Type.Integer(),
    }),
    disclaimer_url: Type.String(),
  }),
  run: async (given, call) => {
    const stack = await ask<typeof StackReply>(call, 'interactions.check-stack', { body: given });
    const { pairs, found, no_record, not_covered, unresolved } = stack.summary;
    return {
      value: {
        message: stack.message,
        worst: stack.summary.worst,
        findings: stack.findings.map(findingOf),
        cautions: stack.cautions.map(({ supplement, condition_name, severity, effect, recommendation }) => ({
          supplement: supplement.name,
          condition: condition_name,
          severity,
          effect,
          recommendation,
        })),
        depletions: stack.depletions.map(({ drug, nutrient, effect }) => ({ drug, nutrient: nutrient.name, effect })),
        unresolved: stack.unresolved.map(({ input, suggestions }) => ({
          input,
          suggestions: suggestions.map(({ name }) => name),
        })),
        read_as: stack.resolved.map(({ input, name, confidence }) => ({ input, name, confidence })),
        needs_confirmation: stack.needs_confirmation,
        no_record: pairsOf(stack, 'no_record'),
        not_covered: pairsOf(stack, 'not_covered'),
        authorities: stack.authorities,
        counts: { pairs, found, no_record, not_covered, unresolved },
        disclaimer_url: stack.disclaimer_url,
      },
      kept: ['/message', '/unresolved', '/counts'],
    };
  },
});
