import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { type RefusalName, Refusal, importBytesMax } from '@leadback/domain';
import type { RequestHandler, Request } from 'express';
import getRawBody from 'raw-body';
import { z } from 'zod';

/** How an endpoint reads the body of a request into `request.body`. */
export interface BodyReader {
  readonly mediaType: string;
  /** Another one that it takes. The examples that are text are of this one. */
  readonly otherMediaType?: string;
  /** What it refuses because of size and media type, for the documentation. */
  readonly refusals: readonly RefusalName[];
  readonly handlers: readonly RequestHandler[];
}

/** Whether the caller broke off before its body was complete. */
export const isBrokenOff = ({ errored, destroyed, complete }: IncomingMessage): boolean =>
  errored !== null || (destroyed && !complete);

/** What a body that cannot be read means: that its caller broke off, whenever that was noticed, or the error itself. */
const refusalOfBroken = (request: IncomingMessage, error: unknown): unknown =>
  isBrokenOff(request) ? new Refusal('invalid-json.incomplete') : error;

const hasBody = ({ headers }: IncomingMessage) => 'content-length' in headers || 'transfer-encoding' in headers;

// callers that read only after they have sent everything would otherwise wait for ever
const restBytesMax = 1024 * 1024;
// for what reads while it sends: a connection that is closed with bytes in it may lose its response
const closedAfterMs = 1_000;

/** Reads what nobody needs, up to `bytesMax`. A caller that sends more loses its connection. */
const discardRest = (request: IncomingMessage, bytesMax: number): void => {
  if (request.readableEnded || request.destroyed) return;
  let left = bytesMax;
  const close = () => {
    if (!request.complete) request.socket.destroy();
  };
  request.on('data', (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left >= 0 || request.isPaused()) return;
    request.pause();
    setTimeout(close, closedAfterMs).unref();
  });
  request.resume();
};

/** Those of which an endpoint has begun to read a file. */
const files = new WeakSet<IncomingMessage>();

/**
 * Limits what is read of a body that has its response already, such as 404 or 413. Node.js would read all of it, as fast
 * as anybody sends.
 */
export const limitRest = (request: IncomingMessage, response: ServerResponse): void => {
  if (!hasBody(request)) return;
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    request.read(); // Node.js hides the rest of a body of which nothing was read
    if (!files.has(request)) discardRest(request, restBytesMax);
  });
};

/** Reads a body of at most so many bytes. */
export const rawBytes = async (request: Request, bytesMax: number, tooLarge: () => Refusal): Promise<Buffer> => {
  const length = request.headers['content-length'];
  try {
    return await getRawBody(request, { limit: bytesMax, ...(length !== undefined && { length }) });
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? error.type : undefined;
    throw type === 'entity.too.large' ? tooLarge() : refusalOfBroken(request, error);
  }
};

/** Whether a request announces a body of exactly this type, as nearly all callers do: it needs no parser. */
const isPlainly = (mediaType: string, { headers }: Request): boolean =>
  headers['content-type'] === mediaType && ('content-length' in headers || 'transfer-encoding' in headers);

/** Refuses a body that is not uncompressed text in UTF-8. */
const uncompressedUtf8 = ({ headers }: IncomingMessage): void => {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(type) ?? [];
  if (charset.toLowerCase() !== 'utf-8') throw new Refusal('unsupported-media-type.charset');
  if (encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported-media-type.encoding');
};

/** Refuses a body that is not uncompressed text in UTF-8 of this media type. */
const textOnly =
  (mediaType: string, wrongType: RefusalName): RequestHandler =>
  (request, _response, next) => {
    // without a body, `is` returns null
    if (!isPlainly(mediaType, request) && !request.is(mediaType)) throw new Refusal(wrongType);
    uncompressedUtf8(request);
    next();
  };

export const mediaType = 'application/json';

interface BodySize {
  readonly bytesMax: number;
  readonly tooLarge: RefusalName;
}

// invalid UTF-8 is refused: replacement characters would change names
const utf8 = new TextDecoder('utf-8', { fatal: true });

const decoded = (body: Buffer): string => {
  try {
    return utf8.decode(body);
  } catch {
    throw new Refusal('invalid-json.encoding');
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid-json');
  }
};

const jsonReader = (size: BodySize, wrongType: RefusalName = 'unsupported-media-type'): BodyReader => ({
  mediaType,
  refusals: [size.tooLarge, wrongType],
  handlers: [
    textOnly(mediaType, wrongType),
    async (request, _response, next) => {
      // express.json() reads a body that is too large to its end before it refuses it
      const body = await rawBytes(request, size.bytesMax, () => new Refusal(size.tooLarge));
      request.body = parsed(decoded(body));
      next();
    },
  ],
});

/** Accepts JSON in UTF-8 of at most 64 KiB. */
export const jsonBody = jsonReader({ bytesMax: 64 * 1024, tooLarge: 'body-too-large' });

/** Accepts JSON in UTF-8 of at most 1 MiB. */
export const jsonBatchBody = jsonReader({ bytesMax: 1024 * 1024, tooLarge: 'body-too-large.batch' });

/** The same, where CSV is accepted as well. */
const jsonListBody = jsonReader(
  { bytesMax: 1024 * 1024, tooLarge: 'body-too-large.list' },
  'unsupported-media-type.list',
);

const csvMediaType = 'text/csv';

/** What browsers and programs call a CSV file or a workbook; what is in it, its first bytes say. */
const fileMediaTypes = [
  csvMediaType,
  'text/comma-separated-values',
  'text/tab-separated-values',
  'application/csv',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
];

/** Whether a request has a file as its body, by its header. */
export const isCsv = ({ headers }: IncomingMessage): boolean => {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return fileMediaTypes.includes(type.trim().toLowerCase());
};

/** The charset that a request names. Refuses one that nobody knows, and a compressed body. */
const charsetOf = ({ headers }: IncomingMessage): string => {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported-media-type.encoding');
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    throw new Refusal('unsupported-media-type.charset');
  }
};

const hasMark = ([first, second, third]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) ||
  (first === 0xfe && second === 0xff) ||
  (first === 0xef && second === 0xbb && third === 0xbf);

const zipMark = 'PK\u0003\u0004';

/** Text in the charset that its sender named, as UTF-8. A byte order mark says more than a header; a workbook has no charset. */
async function* asUtf8(bytes: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<Uint8Array> {
  if (charset === 'utf-8') {
    yield* bytes; // programs name it without a look: what the file is in, its bytes say
    return;
  }
  const decoder = new TextDecoder(charset);
  let isKnown: boolean | undefined;
  for await (const chunk of bytes) {
    if (isKnown === undefined) {
      isKnown = hasMark(chunk) || Buffer.from(chunk.subarray(0, 4)).toString('latin1') === zipMark;
      if (!isKnown) yield Buffer.from('\uFEFF');
    }
    yield isKnown ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
  if (isKnown === false) yield Buffer.from(decoder.decode());
}

// leaves the request open if the endpoint does not read to the end: it still has to respond
async function* bytesOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError('expected bytes');
      yield chunk;
    }
  } catch (error) {
    throw refusalOfBroken(request, error);
  }
}

const isBytes = (value: unknown): value is AsyncIterable<Uint8Array> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** The bytes of a CSV body, which the endpoint reads while they arrive. */
export const csvBytes = z.custom<AsyncIterable<Uint8Array>>(isBytes).meta({ override: { type: 'string' } });

/** CSV that an endpoint sends part by part. */
export const csvParts = z.custom<AsyncIterable<string>>().meta({ override: { type: 'string' } });

/**
 * Accepts a file of at most 50 MiB and hands it on as a stream. It may take minutes to arrive; see
 * `ServeOptions.mayTakeLong`. The endpoint limits the bytes of a body without `Content-Length`.
 */
export const csvBody: BodyReader = {
  mediaType: csvMediaType,
  refusals: ['body-too-large.file', 'unsupported-media-type.csv'],
  handlers: [
    (request, response, next) => {
      if (!isCsv(request)) throw new Refusal('unsupported-media-type.csv');
      const charset = charsetOf(request);
      if (Number(request.headers['content-length'] ?? 0) > importBytesMax) throw new Refusal('body-too-large.file');
      const bytes = bytesOf(request);
      request.body = asUtf8(bytes, charset);
      files.add(request);
      // the rows of a workbook are read when all of it is there, and nothing is sent meanwhile
      request.once('end', () => request.socket.setTimeout(0));
      response.once('finish', () => void bytes.return(undefined).then(() => discardRest(request, importBytesMax)));
      next();
    },
  ],
};

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

/**
 * Reads the fields of a form of at most so many bytes; undefined if the request has no form. express.urlencoded() reads one
 * that is too large to its end.
 */
export const formFields = async (request: Request, bytesMax: number): Promise<unknown> => {
  if (!hasBody(request) || !request.is('application/x-www-form-urlencoded')) return undefined;
  uncompressedUtf8(request);
  const body = await rawBytes(request, bytesMax, () => new Refusal('body-too-large'));
  return parseQuery(body.toString());
};

const plainText = 'text/plain;charset=UTF-8';

let turn: Promise<void> | undefined;

const endOfTurn = (): Promise<void> =>
  (turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  }));

/**
 * Reads JSON of at most so many bytes. It may be sent as plain text: browsers send that to another origin without asking there
 * first. Ends with the turn of the event loop: what is then done with the bodies of a turn, one after the other, takes a fifth less CPU time than in
 * alternation with reading them.
 */
export const crossOriginJson = async (request: Request, bytesMax: number): Promise<unknown> => {
  if (request.headers['content-type'] !== plainText && !request.is([mediaType, 'text/plain']))
    throw new Refusal('unsupported-media-type');
  uncompressedUtf8(request);
  const body = await rawBytes(request, bytesMax, () => new Refusal('body-too-large'));
  await endOfTurn();
  return parsed(decoded(body));
};

const bytesMax = 512 * 1024;

/** The bytes of an image. What they are, the endpoint finds out. */
export const imageBytes = z.custom<Buffer>((value) => Buffer.isBuffer(value));

const tooLarge = () => new Refusal('body-too-large', { message: `body: larger than ${bytesMax / 1024} KiB` });

/** Accepts an image of at most 512 KiB, of any type. */
export const imageBody: BodyReader = {
  mediaType: 'image/*',
  refusals: ['body-too-large', 'unsupported-media-type'],
  handlers: [
    async (request, _response, next) => {
      if (!request.is('image/*')) {
        throw new Refusal('unsupported-media-type', { message: 'Content-Type: expected that of an image' });
      }
      request.body = await rawBytes(request, bytesMax, tooLarge);
      next();
    },
  ],
};

interface Arriving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When it began or, if it may take long, when its response was sent. */
  since: number;
}

interface SlowBodiesOptions {
  /** Within which a body must arrive. */
  readonly timeoutMs: number;
  readonly everyMs: number;
  /** Whether the body may take longer until it has a response. */
  readonly mayTakeLong: (request: IncomingMessage) => boolean;
  readonly onLate: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Finds bodies that arrive too slowly. Node.js itself has one limit for all requests of a server. */
export const slowBodies = ({ timeoutMs, everyMs, mayTakeLong, onLate }: SlowBodiesOptions) => {
  const arriving = new Set<Arriving>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const one of arriving) {
      const { request, response, since } = one;
      const isLate = now - since >= timeoutMs && (response.writableEnded || !mayTakeLong(request));
      if (!isLate || request.complete) continue;
      arriving.delete(one);
      onLate(request, response);
    }
  }, everyMs).unref();
  return {
    watch: (request: IncomingMessage, response: ServerResponse): void => {
      if (!hasBody(request)) return;
      const one = { request, response, since: performance.now() };
      arriving.add(one);
      if (mayTakeLong(request)) response.once('finish', () => (one.since = performance.now()));
      request.once('close', () => arriving.delete(one));
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
};
