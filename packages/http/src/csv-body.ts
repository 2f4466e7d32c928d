import type { IncomingMessage } from 'node:http';
import { importBytesMax, Refusal } from '@leadback/domain';
import type { Request } from 'express';
import { z } from 'zod';
import type { BodyReader } from './body-reader.ts';
import { refusalOfBroken } from './raw-body.ts';
import { textOnly } from './text-body.ts';

const mediaType = 'text/csv';

/** Whether a request has a CSV body, by its header. */
export const isCsv = ({ headers }: IncomingMessage): boolean => headers['content-type']?.startsWith(mediaType) === true;

/**
 * Reads on what nobody needs: callers that send all of a file before they read would wait for ever. A caller that sends
 * more than any file may have loses its connection.
 */
const discardRest = (request: Request): void => {
  if (request.readableEnded || request.destroyed) return;
  let left = importBytesMax;
  request.on('data', (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
};

// leaves the request open if the endpoint does not read to the end: it still has to respond
async function* bytesOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError('expected bytes');
      yield chunk;
    }
  } catch (error) {
    throw refusalOfBroken(request, error);
  }
}

const isBytes = (value: unknown): value is AsyncIterable<Uint8Array> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** The bytes of a CSV body, which the endpoint reads while they arrive. */
export const csvBytes = z.custom<AsyncIterable<Uint8Array>>(isBytes).meta({ override: { type: 'string' } });

/** CSV that an endpoint sends part by part. */
export const csvParts = z.custom<AsyncIterable<string>>().meta({ override: { type: 'string' } });

/**
 * Accepts CSV in UTF-8 of at most 50 MiB and hands it on as a stream. It may take minutes to arrive; see
 * `ServeOptions.mayTakeLong`. The endpoint limits the bytes of a body without `Content-Length`.
 */
export const csvBody: BodyReader = {
  mediaType,
  refusals: ['body-too-large.file', 'unsupported-media-type.csv'],
  handlers: [
    textOnly(mediaType, 'unsupported-media-type.csv'),
    (request, response, next) => {
      if (Number(request.headers['content-length'] ?? 0) > importBytesMax) throw new Refusal('body-too-large.file');
      const bytes = bytesOf(request);
      request.body = bytes;
      response.once('finish', () => void bytes.return(undefined).then(() => discardRest(request)));
      next();
    },
  ],
};
