/** The `webhooks` section of OpenAPI 3.1, from the same values that the events are made by. */
import type { OpenAPIV3_1 } from 'openapi-types';
import type { TSchema } from 'typebox';
import type { EventDefinition } from '../plugin.ts';

const plain = (schema: TSchema): OpenAPIV3_1.SchemaObject => JSON.parse(JSON.stringify(schema));

/** Where a media type may have a reference too, the types of the library want it said. */
const contentOf = ({ body, example }: EventDefinition): OpenAPIV3_1.MediaTypeObject =>
  ({ schema: plain(body), example }) as OpenAPIV3_1.MediaTypeObject;

const describeEvent = (event: EventDefinition): OpenAPIV3_1.PathItemObject => ({
  post: {
    operationId: `event.${event.type}`,
    summary: event.summary,
    tags: ['Events'],
    parameters: Object.entries(event.headers).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': contentOf(event) } },
    responses: {
      '2XX': { description: 'Taken: any status from 200 to 299 counts, whatever the body.' },
      '410': { description: 'Gone: nothing more is sent to this address.' },
      default: { description: 'Everything else, a redirect too, is a failure, and the event is sent again later.' },
    },
    security: [],
  },
});

/** By type of event, in the order given. */
export const describeEvents = (events: readonly EventDefinition[]): Record<string, OpenAPIV3_1.PathItemObject> =>
  Object.fromEntries(events.map((event) => [event.type, describeEvent(event)]));
