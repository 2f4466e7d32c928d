import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { mediaType } from './json-body.ts';

type Headers = Readonly<Record<string, string>>;

/** Like `response.json()` without what it does for ETags, JSONP and other charsets. */
export const sendJson = (response: Response, status: number, body: unknown, headers: Headers = {}): void => {
  const text = JSON.stringify(body);
  const described = { 'Content-Type': `${mediaType}; charset=utf-8`, 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...described }).end(text);
};

/**
 * Sends text as fast as the caller reads it. If a part fails, the connection is closed, so that the caller notices that
 * the text has no end.
 */
export const sendParts = async (
  response: Response,
  status: number,
  { type, parts, headers = {} }: { readonly type: string; readonly parts: AsyncIterable<string>; headers?: Headers },
): Promise<void> => {
  response.writeHead(status, { ...headers, 'Content-Type': `${type}; charset=utf-8` });
  if (response.req.method === 'HEAD') return void response.end();
  try {
    await pipeline(Readable.from(parts), response);
  } catch (error) {
    // a caller that has disconnected is in the line of the request already
    if (!response.closed || response.errored)
      response.req.log().warn({ err: error }, 'failed to send a whole response');
    response.destroy();
  }
};
