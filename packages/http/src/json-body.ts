import { Refusal } from '@leadback/domain';
import type { RequestHandler } from 'express';
import getRawBody from 'raw-body';

const bodyBytesMax = 64 * 1024;

export const mediaType = 'application/json';

const jsonOnly: RequestHandler = (request, _response, next) => {
  if (!request.is(mediaType)) throw new Refusal('unsupported-media-type');
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(request.get('content-type') ?? '') ?? [];
  if (charset.toLowerCase() !== 'utf-8') throw new Refusal('unsupported-media-type.charset');
  if ((request.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw new Refusal('unsupported-media-type.encoding');
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

const parseJson: RequestHandler = async (request, _response, next) => {
  // express.json() reads a body that is too large to its end before it refuses it
  const length = request.get('content-length');
  const text = decoded(await getRawBody(request, { limit: bodyBytesMax, ...(length !== undefined && { length }) }));
  if (text === undefined) throw new Refusal('invalid-json.encoding');
  try {
    request.body = JSON.parse(text);
  } catch {
    throw new Refusal('invalid-json');
  }
  next();
};

/** Accepts JSON in UTF-8 of at most 64 KiB. */
export const jsonBody: readonly RequestHandler[] = [jsonOnly, parseJson];
