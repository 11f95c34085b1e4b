/** Route that returns the safety floor of a supplement as data. */
import { type TSchema, Type } from 'typebox';
import { coreErrors } from '#core/errors.ts';
import { defineRoute, type Route } from '#core/plugin.ts';
import { OriginCode, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { cautionJson } from '../checker/person.ts';
import { Caution } from '../checker/schemas.ts';
import type { InteractionServices } from '../services.ts';
import { FLOOR_STATUSES, safetyFloor } from './safety-floor.ts';
import { FLOOR_TOPICS } from './topics.ts';

const SlugPath = Type.Object({ slug: Type.String({ maxLength: 200 }) });
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Texts = Type.Array(Type.String());

export const FloorReply = Type.Object({
  supplement: Type.Object({ slug: Type.String(), name: Type.String() }),
  topics: Type.Array(
    Type.Object({
      topic: Type.String({ enum: [...FLOOR_TOPICS] }),
      name: Type.String(),
      status: Type.String({ enum: [...FLOOR_STATUSES] }),
      statement: Type.String({ description: 'Where no caution says it; otherwise "".' }),
      cautions: Type.Array(Caution),
      authority: nullable(Type.Object({ name: Type.String(), address: Type.String() })),
      longest: nullable(Type.Object({ duration: Type.String(), context: Type.String(), sources: Texts })),
      origin: OriginCode,
    }),
  ),
  message: Type.String(),
});

const safetyRoute = defineRoute<InteractionServices, { params: typeof SlugPath }>({
  id: 'supplements.safety',
  method: 'GET',
  path: '/api/supplements/{slug}/safety',
  summary: 'The safety floor of one supplement, topic by topic',
  description:
    'Pregnancy, breastfeeding, children, older adults, surgery, kidney, liver, driving (where something is known), laboratory tests, upper intake, longest time studied. `not_studied` and `no_limit_set` never mean safe.',
  tag: 'Supplements',
  access: 'limited',
  request: { params: SlugPath },
  replies: [{ status: 200, mediaType: 'application/json', description: 'Every topic', schema: FloorReply }],
  links: { 'supplements.read': { slug: '/supplement/slug' } },
  raises: ['not_found'],
  handle: async ({ services, use }, { params: { slug } }) => {
    const { supplements, intakes } = await use(vocabularyPlugin).terms();
    const row = supplements.get(slug);
    if (!row) throw coreErrors.not_found({ resource: 'Supplement', id: slug });
    const topics = safetyFloor(await services.book(), row, intakes.get(slug)).map((line) => ({
      ...line,
      cautions: line.cautions.map(cautionJson),
    }));
    const message = 'A harm that is missing here may still exist. Ask a doctor or pharmacist.';
    return { body: { supplement: { slug, name: row.name }, topics, message } };
  },
});

export const floorRoutes: readonly Route<InteractionServices>[] = [safetyRoute];
