import express, { type RequestHandler } from 'express';
import { refuse } from './refuse.ts';

const bodyBytesMax = 64 * 1024;

export const mediaType = 'application/json';

const jsonOnly: RequestHandler = (request, response, next) => {
  if (!request.is(mediaType)) return refuse(response, 415, `Content-Type: expected ${mediaType}`);
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(request.get('content-type') ?? '') ?? [];
  if (charset.toLowerCase() !== 'utf-8') return refuse(response, 415, 'Content-Type: expected charset utf-8');
  next();
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

const parseJson = express.json({
  limit: bodyBytesMax,
  type: mediaType,
  inflate: false,
  strict: false,
  // left to itself the parser replaces what is not UTF-8, and a name would be stored otherwise than it was sent
  verify: (_request, _response, body) => {
    utf8.decode(body);
  },
});

/** Reads a body of JSON in UTF-8, at most 64 KiB; refuses any other. */
export const jsonBody: readonly RequestHandler[] = [jsonOnly, parseJson];
