import { strict as assert } from 'node:assert';
import sharp from 'sharp';
import { openaiVision } from '#core/models/openai-vision.ts';
import { Permission } from '#core/models/permission.ts';
import { type OpenaiEndpoint, says, startEndpoint } from '../../support/openai-endpoint.ts';
import { failsWith, partsFor } from './parts.ts';

describe('OpenAI-compatible vision model', () => {
  let server: OpenaiEndpoint;
  before(async () => {
    server = await startEndpoint();
  });
  after(() => server.close());

  it('sends PNG, JPEG and WEBP images as data URLs next to the prompt', async () => {
    const blank = sharp({ create: { width: 2, height: 2, channels: 3, background: 'white' } });
    const vision = openaiVision(partsFor(server, { name: 'vision model' }));
    for (const [kind, image] of [
      ['png', await blank.clone().png().toBuffer()],
      ['jpeg', await blank.clone().jpeg().toBuffer()],
      ['webp', await blank.clone().webp().toBuffer()],
    ] as const) {
      server.script(says('Magnesium 400 mg'));
      assert.equal(
        await vision.read(image, 'Read the label.', { permission: Permission.publicText, maxTokens: 100 }),
        'Magnesium 400 mg',
      );
      assert.deepEqual(server.asked[0]?.body.messages, [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Read the label.' },
            { type: 'image_url', image_url: { url: `data:image/${kind};base64,${image.toString('base64')}` } },
          ],
        },
      ]);
    }
  });

  it('sends nothing for bytes that are not an image', async () => {
    server.script(says('Yes.'));
    const vision = openaiVision(partsFor(server, { name: 'vision model' }));
    await failsWith(
      'refused',
      vision.read(Buffer.from('%PDF-1.7'), 'Read it.', { permission: Permission.publicText, maxTokens: 100 }),
    );
    assert.equal(server.asked.length, 0);
  });
});
