import { Refusal, type RefusalName } from '@leadback/domain';
import type { Request, RequestHandler } from 'express';

/** Whether a request announces a body of exactly this type, as nearly all callers do: it needs no parser. */
const isPlainly = (mediaType: string, { headers }: Request): boolean =>
  headers['content-type'] === mediaType && ('content-length' in headers || 'transfer-encoding' in headers);

/** Refuses a body that is not uncompressed text in UTF-8 of this media type. */
export const textOnly =
  (mediaType: string, wrongType: RefusalName): RequestHandler =>
  (request, _response, next) => {
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
    // without a body, `is` returns null
    if (!isPlainly(mediaType, request) && !request.is(mediaType)) throw new Refusal(wrongType);
    const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(type) ?? [];
    if (charset.toLowerCase() !== 'utf-8') throw new Refusal('unsupported-media-type.charset');
    if (encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported-media-type.encoding');
    next();
  };
