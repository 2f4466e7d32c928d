import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, RequestHandler } from 'express';

type Encoding = 'br' | 'gzip' | 'identity';

/** Content in every encoding that is served. Compressed once: requests only choose. */
export interface Precompressed {
  readonly digest: string;
  readonly bytes: Readonly<Record<Encoding, Buffer>>;
}

// quality 11 takes 20 times as long; a window for long texts takes 20 times the memory
const brotliParameters = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 16 };

export const precompressed = (content: string | Buffer): Precompressed => {
  const identity = Buffer.from(content);
  return {
    digest: createHash('sha256').update(identity).digest('base64url').slice(0, 16),
    bytes: {
      identity,
      br: brotliCompressSync(identity, { params: brotliParameters }),
      gzip: gzipSync(identity, { level: 9 }),
    },
  };
};

const encodingOf = (request: Request): Encoding => {
  if (request.acceptsEncodings('br')) return 'br';
  return request.acceptsEncodings('gzip') ? 'gzip' : 'identity';
};

/** Serves the content with an ETag for each encoding. */
export const servePrecompressed = (
  { digest, bytes }: Precompressed,
  type: string,
  cacheControl: string,
): RequestHandler => {
  const entityTags = { br: `"${digest}-br"`, gzip: `"${digest}-gzip"`, identity: `"${digest}"` };
  return (request, response) => {
    const encoding = encodingOf(request);
    response.set({ 'Cache-Control': cacheControl, ETag: entityTags[encoding], Vary: 'Accept-Encoding' });
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.set({ 'Content-Type': type, 'Content-Length': String(bytes[encoding].length) }).end(bytes[encoding]);
  };
};
