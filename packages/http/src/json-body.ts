import { Refusal, type RefusalName } from '@leadback/domain';
import type { Request, RequestHandler } from 'express';

const bodyBytesMax = 64 * 1024;

export const mediaType = 'application/json';

const jsonOnly: RequestHandler = (request, _response, next) => {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  // what nearly all callers send needs no parser
  if (type !== mediaType && !request.is(mediaType)) throw new Refusal('unsupported-media-type');
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(type) ?? [];
  if (charset.toLowerCase() !== 'utf-8') throw new Refusal('unsupported-media-type.charset');
  if (encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported-media-type.encoding');
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

const parsed = (body: Buffer): unknown => {
  const text = decoded(body);
  if (text === undefined) throw new Refusal('invalid-json.encoding');
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid-json');
  }
};

/** Calls back once: with the whole body, or with the reason why it cannot be read. The rest is not read then. */
const readBody = (request: Request, done: (body: Buffer | RefusalName) => void): void => {
  // a body that is too large is refused before it has arrived
  if (Number(request.headers['content-length']) > bodyBytesMax) return done('body-too-large');
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = (result: Buffer | RefusalName) => {
    request.off('data', onData).off('end', onEnd).off('error', onError);
    if (typeof result === 'string') request.pause();
    done(result);
  };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bodyBytesMax) end('body-too-large');
  };
  const onEnd = () => end(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes));
  const onError = () => end('invalid-json.incomplete');
  request.on('data', onData).on('end', onEnd).on('error', onError);
};

const parseJson: RequestHandler = (request, _response, next) => {
  readBody(request, (body) => {
    try {
      if (typeof body === 'string') throw new Refusal(body);
      request.body = parsed(body);
    } catch (error) {
      return next(error);
    }
    next();
  });
};

/** Accepts JSON in UTF-8 of at most 64 KiB. */
export const jsonBody: readonly RequestHandler[] = [jsonOnly, parseJson];
