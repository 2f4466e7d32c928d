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

// invalid UTF-8 is refused: replacement characters would change names
const utf8 = new TextDecoder('utf-8', { fatal: true });

const decoded = (body: Buffer): string | undefined => {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
};

const parseJson: RequestHandler = async (request, response, next) => {
  // express.json() reads a body that is too large to its end before it refuses it
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

/** Accepts JSON in UTF-8 of at most 64 KiB. */
export const jsonBody: readonly RequestHandler[] = [jsonOnly, parseJson];
