/** Builds the `webhooks` section of OpenAPI 3.1 from the definitions by which events are created. */
import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types';
import type { TSchema } from 'typebox';
import type { EventDefinition } from '../plugin.ts';

const plain = (schema: TSchema): OpenAPIV3_1.SchemaObject => JSON.parse(JSON.stringify(schema));

/** Builds the request body. The types library requires those of OpenAPI 3.0 and 3.1 together for a webhook. */
const requestOf = ({ body, example }: EventDefinition) =>
  ({
    required: true,
    content: { 'application/json': { schema: plain(body), example } },
  }) as OpenAPIV3_1.RequestBodyObject & OpenAPIV3.RequestBodyObject;

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
    requestBody: requestOf(event),
    responses: {
      '2XX': { description: 'Taken: any status from 200 to 299 counts, whatever the body.' },
      '410': { description: 'Gone: nothing more is sent to this address.' },
      default: { description: 'Everything else, a redirect too, is a failure, and the event is sent again later.' },
    },
    security: [],
  },
});

/** Describes events by their type, in the given order. */
export const describeEvents = (events: readonly EventDefinition[]): Record<string, OpenAPIV3_1.PathItemObject> =>
  Object.fromEntries(events.map((event) => [event.type, describeEvent(event)]));
