import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { BodyReader } from './body-reader.ts';
import { csvBody, csvBytes, isCsv } from './csv-body.ts';
import { jsonListBody } from './json-body.ts';

const only =
  (wanted: boolean, handler: RequestHandler): RequestHandler =>
  (request, response, next) =>
    isCsv(request) === wanted ? handler(request, response, next) : next();

const named: RequestHandler = (request, _response, next) => {
  const file: unknown = request.body;
  request.body = { file };
  next();
};

/** Accepts a list as JSON in UTF-8 of at most 1 MiB and 10,000 items, `{"items": […]}`, or as CSV like `csvBody`. */
export const listBody: BodyReader = {
  mediaType: jsonListBody.mediaType,
  otherMediaType: csvBody.mediaType,
  refusals: [...jsonListBody.refusals, 'body-too-large.file'],
  handlers: [
    ...jsonListBody.handlers.map((handler) => only(false, handler)),
    ...[...csvBody.handlers, named].map((handler) => only(true, handler)),
  ],
};

/** The most items of a list in JSON, of those that fit into 1 MiB. */
export const listItemsMax = 10_000;

const expectedItems = { error: 'expected a list of items' };
const tooMany = { error: `expected a list of at most ${listItemsMax} items; send a longer list as CSV` };

/** What `listBody` reads: the bytes of a file, or items, which are parsed later. */
export const listInput = z
  .object(
    {
      file: csvBytes.optional().catch(undefined),
      items: z.array(z.unknown(), expectedItems).max(listItemsMax, tooMany).optional(),
    },
    { error: 'expected a JSON object' },
  )
  .transform(({ file, items }, context) => {
    if (file) return { file };
    if (items) return { items };
    context.addIssue({ code: 'custom', path: ['items'], message: expectedItems.error });
    return z.NEVER;
  });
