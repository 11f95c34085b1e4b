/** A vision model behind a chat endpoint; pictures are sent in the request as data URLs. */
import { type ChatParts, createChat } from './chat.ts';
import { ModelError } from './model-error.ts';
import type { VisionModel } from './port.ts';

/** Detects the media type from the first bytes; null for formats that not every endpoint accepts. */
const mediaTypeOf = (image: Buffer): string | null => {
  if (image.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png';
  if (image.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  const isWebp = image.toString('latin1', 0, 4) === 'RIFF' && image.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : null;
};

/** Opens a vision model. `read` rejects with ModelError `refused` for bytes that are not PNG, JPEG or WEBP. */
export const openaiVision = (parts: ChatParts): VisionModel => {
  const chat = createChat(parts);
  return {
    name: parts.endpoint.model,
    read: async (image, prompt, options) => {
      const type = mediaTypeOf(image);
      if (!type) throw new ModelError('refused', 'The picture is not PNG, JPEG or WEBP');
      const url = `data:${type};base64,${image.toString('base64')}`;
      const content = [
        { type: 'text', text: prompt },
        { type: 'image_url', image_url: { url } },
      ];
      return chat.complete([{ role: 'user', content }], options);
    },
  };
};
