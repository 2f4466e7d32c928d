import type { RequestHandler } from 'express';
import getRawBody from 'raw-body';
import { refuse } from './refuse.ts';

const bodyBytesMax = 64 * 1024;

export const mediaType = 'application/json';

const jsonOnly: RequestHandler = (request, response, next) => {
  if (!request.is(mediaType)) return refuse(response, 'unsupported-media-type', `Content-Type: expected ${mediaType}`);
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(request.get('content-type') ?? '') ?? [];
  if (charset.toLowerCase() !== 'utf-8')
    return refuse(response, 'unsupported-media-type', 'Content-Type: expected charset utf-8');
  if ((request.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    return refuse(response, 'unsupported-media-type', 'Content-Encoding: send the body uncompressed');
  }
  next();
};

// what is not UTF-8 is refused: replaced, a name would be stored otherwise than it was sent
const utf8 = new TextDecoder('utf-8', { fatal: true });

const decoded = (body: Buffer): string | undefined => {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
};

const parseJson: RequestHandler = async (request, response, next) => {
  // not express.json: that takes a body in that is too large before it refuses it
  const length = request.get('content-length');
  const text = decoded(await getRawBody(request, { limit: bodyBytesMax, ...(length !== undefined && { length }) }));
  if (text === undefined) return refuse(response, 'invalid-json', 'body: not valid UTF-8');
  try {
    request.body = JSON.parse(text);
  } catch {
    return refuse(response, 'invalid-json', 'body: expected valid JSON');
  }
  next();
};

/** Reads a body of JSON in UTF-8, at most 64 KiB; refuses any other. */
export const jsonBody: readonly RequestHandler[] = [jsonOnly, parseJson];
