import type { IncomingMessage } from 'node:http';
import { Refusal } from '@leadback/domain';
import type { Request } from 'express';
import { z } from 'zod';
import type { BodyReader } from './body-reader.ts';
import { textOnly } from './text-body.ts';

const mediaType = 'text/csv';
const bytesMax = 50 * 2 ** 20;

/** Whether a request has a CSV body, by its header. */
export const isCsv = ({ headers }: IncomingMessage): boolean => headers['content-type']?.startsWith(mediaType) === true;

// leaves the request open if the endpoint does not read to the end: it still has to respond
async function* bytesOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError('expected bytes');
      yield chunk;
    }
  } catch (error) {
    throw request.errored ? new Refusal('invalid-json.incomplete') : error;
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
    (request, _response, next) => {
      if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw new Refusal('body-too-large.file');
      request.body = bytesOf(request);
      next();
    },
  ],
};
