import { Refusal } from '@leadback/domain';
import { z } from 'zod';
import type { BodyReader } from './body-reader.ts';
import { rawBody } from './raw-body.ts';

const bytesMax = 512 * 1024;

/** The bytes of an image. What they are, the endpoint finds out. */
export const imageBytes = z.custom<Buffer>((value) => Buffer.isBuffer(value));

const tooLarge = () => new Refusal('body-too-large', { message: `body: larger than ${bytesMax / 1024} KiB` });

/** Accepts an image of at most 512 KiB, of any type. */
export const imageBody: BodyReader = {
  mediaType: 'image/*',
  refusals: ['body-too-large', 'unsupported-media-type'],
  handlers: [
    async (request, _response, next) => {
      if (!request.is('image/*')) {
        throw new Refusal('unsupported-media-type', { message: 'Content-Type: expected that of an image' });
      }
      request.body = await rawBody(request, bytesMax, tooLarge);
      next();
    },
  ],
};
