import { strict as assert } from 'node:assert';
import { openaiLanguage } from '#core/models/openai-language.ts';
import { Permission } from '#core/models/permission.ts';
import type { ChatMessage } from '#core/models/port.ts';
import {
  hangs,
  json,
  type OpenaiEndpoint,
  refusal,
  says,
  startEndpoint,
  streams,
} from '../../support/openai-endpoint.ts';
import { API_KEY, failsWith, type PartsOptions, partsFor, readAll } from './parts.ts';

const QUESTION = 'Does my-secret-question have an answer?';
const messages: readonly ChatMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: QUESTION },
];
const options = { permission: Permission.publicText, maxTokens: 50 };
const schema = {
  type: 'object',
  properties: { claim: { type: 'string' } },
  required: ['claim'],
  additionalProperties: false,
};

describe('OpenAI-compatible language model', () => {
  let server: OpenaiEndpoint;
  before(async () => {
    server = await startEndpoint();
  });
  after(() => server.close());
  const modelOf = (more: PartsOptions = {}) => openaiLanguage(partsFor(server, more));

  it('sends the messages, the limit, temperature 0 and the key, and returns the reply', async () => {
    server.script(says('Magnesium helps a little.'));
    assert.equal(await modelOf().complete(messages, options), 'Magnesium helps a little.');
    const [asked] = server.asked;
    assert.equal(asked?.path, '/v1/chat/completions');
    assert.equal(asked?.authorization, `Bearer ${API_KEY}`);
    assert.deepEqual(asked?.body, { model: 'made-model', messages, max_tokens: 50, temperature: 0 });
  });

  it('streams the reply in pieces, and skips comments, CRLF and the final usage', async () => {
    server.script(streams(['Magne', 'sium – ', 'µg']));
    assert.deepEqual(await readAll(modelOf().stream(messages, options)), ['Magne', 'sium – ', 'µg']);
    assert.equal(server.asked[0]?.body.stream, true);
    assert.deepEqual(server.asked[0]?.body.stream_options, { include_usage: true });
  });

  it('decodes characters that are split between two packets', async () => {
    server.script((reply) => {
      const bytes = Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content: '5 µg' } }] })}\n\n`);
      const middle = bytes.indexOf(Buffer.from('µ')) + 1;
      reply.write(bytes.subarray(0, middle));
      setTimeout(() => {
        reply.write(bytes.subarray(middle));
        reply.end('data: [DONE]\n\n');
      }, 20);
    });
    assert.deepEqual(await readAll(modelOf().stream(messages, options)), ['5 µg']);
  });

  it('fails with bad_reply when the stream ends before the reply does', async () => {
    server.script(streams(['Do not take it with'], 'cut'));
    const seen: string[] = [];
    const read = async () => {
      for await (const piece of modelOf().stream(messages, options)) seen.push(piece);
    };
    await failsWith('bad_reply', read());
    assert.deepEqual(seen, ['Do not take it with']);
  });

  it('fails with unavailable when the stream contains an error', async () => {
    server.script(streams(['It'], { error: { message: 'out of memory' } }));
    await failsWith('unavailable', readAll(modelOf().stream(messages, options)));
  });

  it('fails with bad_reply for a malformed stream or a reply without choices', async () => {
    server.script((reply) => void reply.end('data: {"choices": [{"del\n\n'));
    await failsWith('bad_reply', readAll(modelOf().stream(messages, options)));
    server.script(json({ choices: [] }));
    await failsWith('bad_reply', readAll(modelOf().stream(messages, options)));
  });

  it('fails with bad_reply when the reply was truncated at its limit, whole or streamed', async () => {
    server.script(says('Do not take it with', { finish_reason: 'length' }));
    await failsWith('bad_reply', modelOf().complete(messages, options));
    server.script(streams(['Do not'], { choices: [{ delta: {}, finish_reason: 'length' }] }));
    await failsWith('bad_reply', readAll(modelOf().stream(messages, options)));
  });

  it('stops a reply far beyond its limit', async () => {
    server.script(
      streams(
        Array.from({ length: 100 }, () => 'x'.repeat(100)),
        'silence',
      ),
    );
    await failsWith('bad_reply', readAll(modelOf().stream(messages, options)));
  });

  it('fails with refused when the model declines to answer', async () => {
    server.script(says('', { finish_reason: 'content_filter' }));
    await failsWith('refused', modelOf().complete(messages, options));
    server.script(json({ choices: [{ message: { content: null, refusal: 'I cannot.' }, finish_reason: 'stop' }] }));
    await failsWith('refused', modelOf().complete(messages, options));
  });

  it('fails with bad_reply for a malformed or empty chat reply', async () => {
    for (const body of ['{"choices": [', '<html>', 'null', { choices: [] }, { choices: [{ message: {} }] }]) {
      server.script(json(body));
      await failsWith('bad_reply', modelOf().complete(messages, options));
    }
    server.script(says('  '));
    await failsWith('bad_reply', modelOf().complete(messages, options));
  });

  it('removes the thoughts of local models, whole and streamed', async () => {
    server.script(says('<think>Hm, my-secret-question.</think>\n\nYes.'));
    assert.equal(await modelOf().complete(messages, options), 'Yes.');
    server.script(streams(['<th', 'ink>Hm', ' …</thi', 'nk>', '\n\n', 'Ye', 's < no.']));
    assert.equal((await readAll(modelOf().stream(messages, options))).join(''), 'Yes < no.');
    server.script(streams(['<th', 'ree times a day>']));
    assert.equal((await readAll(modelOf().stream(messages, options))).join(''), '<three times a day>');
    server.script(says('<think>Hm'));
    await failsWith('bad_reply', modelOf().complete(messages, options));
  });

  it('requests a JSON schema, which is strict when every member is required', async () => {
    server.script(says('{"claim":"It helps."}'));
    assert.equal(await modelOf().complete(messages, { ...options, schema }), '{"claim":"It helps."}');
    assert.deepEqual(server.asked[0]?.body.response_format, {
      type: 'json_schema',
      json_schema: { name: 'reply', schema, strict: true },
    });
    await modelOf().complete(messages, { ...options, schema: { ...schema, required: [] } });
    assert.equal(server.asked[1]?.body.response_format.json_schema.strict, false);
  });

  it('requests JSON in the prompt when the endpoint accepts no schema, and remembers that', async () => {
    const model = modelOf();
    const refuses = refusal(400, 'response_format is not supported');
    server.script(refuses, refuses, says('```json\n{"claim":"It helps."}\n```'));
    assert.equal(await model.complete(messages, { ...options, schema }), '{"claim":"It helps."}');
    assert.deepEqual(
      server.asked.map(({ body }) => body.response_format?.type),
      ['json_schema', 'json_object', undefined],
    );
    assert.match(server.asked[2]?.body.messages[0].content, /fits this JSON schema.*"claim"/s);
    server.script(says('{"claim":"It does."}'));
    await model.complete(messages, { ...options, schema });
    assert.equal(server.asked.length, 1);
  });

  it('fails with bad_reply when a reply to a JSON request is not JSON', async () => {
    server.script(says('Sure! Here it is.'));
    const error = await failsWith('bad_reply', modelOf().complete(messages, { ...options, schema }));
    assert.doesNotMatch(`${error.stack} ${error.cause}`, /Sure/);
  });

  it('uses max_completion_tokens and no temperature for models that require it', async () => {
    const model = modelOf();
    server.script(
      refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      refusal(400, "Unsupported value: 'temperature' does not support 0 with this model."),
      says('Yes.'),
    );
    assert.equal(await model.complete(messages, options), 'Yes.');
    const { body } = server.asked[2] as { body: Record<string, unknown> };
    assert.deepEqual([body.max_completion_tokens, body.max_tokens, body.temperature], [50, undefined, undefined]);
  });

  it('streams without usage when the endpoint does not support it', async () => {
    server.script(refusal(422, 'stream_options: Extra inputs are not permitted'), streams(['Yes.']));
    assert.deepEqual(await readAll(modelOf().stream(messages, options)), ['Yes.']);
    assert.equal(server.asked[1]?.body.stream_options, undefined);
  });

  it('enforces the daily budget by the usage that the endpoint reports', async () => {
    const model = modelOf({ perDay: 200 });
    server.script(says('Yes.', {}, 150));
    await model.complete(messages, options);
    const error = await failsWith('budget', model.complete(messages, options));
    assert.ok((error.retryAfterSeconds ?? 0) > 0);
    await failsWith('budget', readAll(model.stream(messages, options)));
    assert.equal(server.asked.length, 1);
  });

  it('charges nothing for a call that the model did not process', async () => {
    const model = modelOf({ perDay: 200, retries: 0, openAfter: 100 });
    server.script(json({}, 503));
    for (let call = 0; call < 5; call += 1) await failsWith('unavailable', model.complete(messages, options));
    server.script(says('Yes.'));
    await model.complete(messages, options);
  });

  it('logs no question, reply or key, and puts none into an error', async () => {
    const parts = partsFor(server, { retries: 0, timeoutSeconds: 0.1 });
    const model = openaiLanguage(parts);
    const steps = [
      refusal(401, `wrong key ${API_KEY} for ${QUESTION}`),
      json(`{"broken ${QUESTION}`),
      json({ error: QUESTION }, 500),
      hangs,
    ];
    const told: string[] = [];
    for (const step of steps) {
      server.script(step);
      await model
        .complete(messages, options)
        .catch((error: Error) => told.push(`${error.stack} ${JSON.stringify(error)}`));
    }
    assert.equal(told.length, 4);
    assert.equal(parts.lines.length, 4);
    assert.doesNotMatch([...told, ...parts.lines].join('\n'), /my-secret-question|nobody-may-see/);
  });
});
