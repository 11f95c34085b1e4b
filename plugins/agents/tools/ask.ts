/** Defines the tool ask, which answers a question with citations for every claim. */
import { Type } from 'typebox';
import { type Answer, Citation, Refusal } from '#plugins/answers/index.ts';
import { ask as askRoute, defineTool, nullable, Warnings } from '../tool.ts';

const cited = Citation.properties;
const Cited = Type.Object({
  n: cited.n,
  source_id: cited.source_id,
  title: cited.title,
  year: cited.year,
  quality_tier: cited.quality_tier,
  stance: cited.stance,
  quote: cited.quote,
  url: cited.url,
});

export const askTool = defineTool({
  name: 'ask',
  title: 'Ask the evidence',
  description:
    'Answers a question on supplements from graded sources, every claim with its citation and quotes checked letter by letter. `insufficient_evidence` and `refused` are answers: tell the reason, do not fill the gap from memory, and tell `refusal.emergency` before all else. Ten a minute for each key.',
  input: Type.Object({
    question: Type.String({ minLength: 3, maxLength: 1000 }),
    supplement: Type.Optional(Type.String({ maxLength: 200, description: 'Slug or name: fixes the topic.' })),
    audience: Type.String({ enum: ['consumer', 'clinician'], default: 'consumer' }),
    model_consent: Type.Boolean({
      default: false,
      description: 'True only if the person agreed that the question goes to the models that the operator chose.',
    }),
  }),
  output: Type.Object({
    status: Type.String(),
    refusal: nullable(Refusal),
    answer: Type.String({ description: 'Markdown with marks: [1] [2].' }),
    confidence: Type.String(),
    citations: Type.Array(Cited),
    interactions: Type.Array(
      Type.Object({ found: Type.Boolean(), severity: Type.String(), text: Type.String(), url: Type.String() }),
    ),
    what_would_answer: Type.String(),
    disclaimer: Type.String(),
    permalink: Type.String(),
    warnings: Warnings,
  }),
  run: async (given, call) => {
    const answer = await askRoute<typeof Answer>(call, 'ask', { body: given });
    return {
      value: {
        status: answer.status,
        refusal: answer.refusal,
        answer: answer.answer,
        confidence: answer.confidence,
        citations: answer.citations.map(({ n, source_id, title, year, quality_tier, stance, quote, url }) => ({
          n,
          source_id,
          title,
          year,
          quality_tier,
          stance,
          quote,
          url,
        })),
        interactions: answer.interactions.map((one) =>
          one.found
            ? { found: true, severity: one.severity, text: one.effect, url: one.url }
            : { found: false, severity: '', text: one.message, url: '' },
        ),
        what_would_answer: answer.what_would_answer,
        disclaimer: answer.disclaimer,
        permalink: answer.permalink,
        warnings: answer.warnings,
      },
      kept: ['/answer', '/refusal', '/disclaimer', '/interactions'],
    };
  },
});
