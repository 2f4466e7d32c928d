import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import {
  invalidFields,
  methodMessage,
  Refusal,
  type RefusalCode,
  type RefusalName,
  refusalOf,
  refusals,
  strictSchema,
  unknownFieldWarnings,
  type Warning,
  warningHeader,
} from '@leadback/domain';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import { type BodyReader, csvParts, jsonBody, mediaType } from './bodies.ts';
import { statusOfCode, warningHeaderName } from './errors.ts';

/** Parses what a caller has sent. Throws `invalid-fields`; a ZodError elsewhere is an internal error. */
export const parseInput = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const { data, error } = schema.safeParse(value);
  if (error) throw invalidFields(error);
  return data;
};

type SentHeaders = Readonly<Record<string, string>>;

/** Like `response.json()` without what it does for ETags, JSONP and other charsets. */
const sendJson = (response: Response, status: number, body: unknown, headers: SentHeaders = {}): void => {
  const text = JSON.stringify(body);
  const described = { 'Content-Type': `${mediaType}; charset=utf-8`, 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...described }).end(text);
};

/**
 * Sends text as fast as the caller reads it. If a part fails, the connection is closed, so that the caller notices that
 * the text has no end.
 */
const sendParts = async (
  response: Response,
  status: number,
  {
    type,
    parts,
    headers = {},
  }: { readonly type: string; readonly parts: AsyncIterable<string>; headers?: SentHeaders },
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

declare global {
  namespace Express {
    interface Request {
      /** Whether fields of a body that an endpoint does not know are refused; otherwise they are ignored. */
      refusesUnknownFields?: boolean;
    }
  }
}

interface OfferedReply {
  /** Of a reply whose body is an async iterable of text. Default: the body is sent as JSON. */
  readonly mediaType?: 'text/csv';
  readonly body: z.ZodType;
  readonly description: string;
  readonly example: unknown;
}
type OfferedReplies = Readonly<Record<number, OfferedReply>>;

/** A reply with a body that fits the schema of its status. */
type ReplyOf<Replies extends OfferedReplies> = {
  [Status in keyof Replies & number]: {
    readonly status: Status;
    readonly body: z.input<Replies[Status]['body']>;
    readonly headers?: Readonly<Record<string, string>>;
    /** What was accepted, but not as sent. Unknown fields are added. */
    readonly warnings?: readonly Warning[];
  };
}[keyof Replies & number];

/** For endpoints without input or headers. */
export const nothing = z.object({});

/** Where an endpoint is, and how its body is read. */
interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** In the syntax of Express: `/client/:id`. */
  readonly path: string;
  /** How the body is read. Default: JSON of at most 64 KiB; with GET and DELETE, none. */
  readonly body?: BodyReader | 'none';
}

/** The documented part of an endpoint. */
export interface EndpointDescription extends Route {
  /** Schema of the body or, without a body, of path and query parameters together. */
  readonly input: z.ZodType;
  /** Schema of path and query parameters together, beside a body. Default: none. */
  readonly parameters?: z.ZodObject;
  /** Groups endpoints in the documentation. */
  readonly subject: string;
  readonly summary: string;
  readonly description: string;
  /** Schema of the body for the documentation, if `input` leaves a part of it to be parsed later. */
  readonly documented?: z.ZodType;
  /** Example bodies that are accepted, by title. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Headers by lower-case name. */
  readonly headers: z.ZodObject;
  readonly replies: OfferedReplies;
  /** Additional to the refusals that all endpoints share. The first one of a status is its example. */
  readonly refusals?: readonly RefusalName[];
}

interface ParsedRequest<Input extends z.ZodType> {
  readonly input: z.output<Input>;
  readonly response: Response;
}
interface WithHeaders<Headers extends z.ZodObject> {
  readonly headers: z.output<Headers>;
}
interface WithParameters<Parameters extends z.ZodObject> {
  readonly parameters: z.output<Parameters>;
}

interface TypedDescription<Input extends z.ZodType, Headers extends z.ZodObject, Replies extends OfferedReplies>
  extends EndpointDescription {
  readonly input: Input;
  readonly headers: Headers;
  readonly replies: Replies;
}

interface Handled<Parsed, Context, Replies extends OfferedReplies> {
  readonly handle: (request: Parsed, context: Context) => Promise<ReplyOf<NoInfer<Replies>>>;
}

/** An endpoint as the router takes it. */
export interface PlainEndpoint<Context> extends Route {
  readonly handlers: (context: Context) => RequestHandler[];
}

export interface Endpoint<Context> extends EndpointDescription, PlainEndpoint<Context> {}

/** How an endpoint reads its body; undefined if it takes none. */
export const bodyReaderOf = ({ method, body = jsonBody }: Route): BodyReader | undefined =>
  method === 'get' || method === 'delete' || body === 'none' ? undefined : body;

/** Parses path and query. */
type ParseParameters = <Schema extends z.ZodType>(schema: Schema) => z.output<Schema>;

const headersOf = ({ headers = {} }: { readonly headers?: SentHeaders }, warnings: readonly Warning[]): SentHeaders => {
  const told = warningHeader(warnings);
  return told === undefined ? headers : { ...headers, [warningHeaderName]: told };
};

const strictNothing = strictSchema(nothing);

/**
 * Parses a request once: `act` receives valid input, or the caller gets 400 with every error. An unknown parameter of the query is
 * an error for everybody: a filter that is ignored shows what was not asked for.
 */
const handlersOf =
  <Context, Input extends z.ZodType, Replies extends OfferedReplies>(
    description: EndpointDescription & { readonly input: Input; readonly replies: Replies },
    act: (request: ParsedRequest<Input>, context: Context, parse: ParseParameters) => Promise<ReplyOf<Replies>>,
  ) =>
  (context: Context): RequestHandler[] => {
    const body = bodyReaderOf(description);
    // built once: to build a schema takes longer than to parse
    const strictInput = strictSchema(description.input);
    const handle: RequestHandler = async (request, response) => {
      const sent = { ...request.query, ...request.params };
      const parseParameters: ParseParameters = (schema) => parseInput(schema, sent);
      const parseBody = () =>
        parseInput(request.refusesUnknownFields === true ? strictInput : description.input, request.body);
      const input = body ? parseBody() : parseParameters(strictInput);
      if (body && !description.parameters && Object.keys(sent).length > 0) parseParameters(strictNothing);
      const reply = await act({ input, response }, context, parseParameters);
      const type = description.replies[reply.status]?.mediaType;
      const ignored =
        body === undefined || request.refusesUnknownFields === true
          ? []
          : unknownFieldWarnings(description.input, request.body);
      const headers = headersOf(reply, [...ignored, ...(reply.warnings ?? [])]);
      if (type === undefined) return sendJson(response, reply.status, reply.body, headers);
      await sendParts(response, reply.status, { type, headers, parts: csvParts.parse(reply.body) });
    };
    return [...(body?.handlers ?? []), handle];
  };

/** An endpoint whose input is its body or, without a body, its path and query parameters. */
export const endpoint =
  <Context>() =>
  <Input extends z.ZodType, Headers extends z.ZodObject, Replies extends OfferedReplies>({
    handle,
    ...description
  }: TypedDescription<Input, Headers, Replies> &
    Handled<ParsedRequest<Input> & WithHeaders<Headers>, Context, Replies>): Endpoint<Context> => ({
    ...description,
    handlers: handlersOf(description, (request, context: Context) =>
      handle({ ...request, headers: parseInput(description.headers, request.response.req.headers) }, context),
    ),
  });

/** An endpoint that takes path or query parameters beside its body. */
export const endpointWithParameters =
  <Context>() =>
  <
    Input extends z.ZodType,
    Headers extends z.ZodObject,
    Replies extends OfferedReplies,
    Parameters extends z.ZodObject,
  >({
    handle,
    ...description
  }: TypedDescription<Input, Headers, Replies> & { readonly parameters: Parameters } & Handled<
      ParsedRequest<Input> & WithHeaders<Headers> & WithParameters<Parameters>,
      Context,
      Replies
    >): Endpoint<Context> => {
    const parameters = strictSchema(description.parameters);
    return {
      ...description,
      handlers: handlersOf(description, (request, context: Context, parse) => {
        const headers = parseInput(description.headers, request.response.req.headers);
        return handle({ ...request, headers, parameters: parse(parameters) }, context);
      }),
    };
  };

/** An endpoint that no document describes: of an application that has only its own callers. It has one reply. */
export interface PlainDescription<Input extends z.ZodType, Reply extends z.ZodType> extends Route {
  /**
   * Schema of what is sent: the fields of the body and the parameters of the path or, without a body, these and those of the
   * query. A body that is not JSON is the field `body` beside all parameters.
   */
  readonly input: Input;
  readonly reply: Reply;
  /** Default: 200. */
  readonly status?: 200 | 201 | 202;
  /** Of a reply that is an async iterable of text. Default: it is sent as JSON. */
  readonly mediaType?: 'text/csv' | 'text/html';
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const plainEndpoint = <Context, Input extends z.ZodType, Reply extends z.ZodType>(
  { input, status = 200, mediaType: type, method, path, body }: PlainDescription<Input, Reply>,
  handle: (request: ParsedRequest<Input>, context: Context) => Promise<z.input<Reply>>,
): PlainEndpoint<Context> => ({
  method,
  path,
  handlers(context) {
    const reader = bodyReaderOf({ method, path, ...(body && { body }) });
    const sentIn = ({ body: read, params, query }: Request): object => {
      if (reader === jsonBody) return isObject(read) ? { ...read, ...params } : params;
      return reader ? { body: read, ...query, ...params } : { ...query, ...params };
    };
    const respond: RequestHandler = async (request, response) => {
      const reply = await handle({ input: parseInput(input, sentIn(request)), response }, context);
      if (type === undefined) sendJson(response, status, reply);
      else await sendParts(response, status, { type, parts: csvParts.parse(reply) });
    };
    return [...(reader?.handlers ?? []), respond];
  },
});

/**
 * Routes requests to endpoints, after the handlers `before`, which see each request to any path. Other methods on a
 * known path get 405 with `Allow`. List a literal path before a path with a parameter that matches it.
 */
export const endpointRouter = <Context>(
  endpoints: readonly PlainEndpoint<Context>[],
  context: Context,
  before: readonly RequestHandler[],
): Router => {
  const router = express.Router({ strict: false, caseSensitive: true });
  router.use(...before);
  for (const [path, offered] of Map.groupBy(endpoints, (routed) => routed.path)) {
    const route = router.route(path);
    for (const one of offered) route[one.method](...one.handlers(context));
    const allowed = offered
      .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase()))
      .join(', ');
    route.all((request, response) => {
      response.set('Allow', allowed);
      throw new Refusal('method-not-allowed', { message: methodMessage(request.method, allowed) });
    });
  }
  return router;
};

/** The documentation of the refusals with one status. */
export interface OfferedRefusals {
  readonly status: number;
  /** Values of `Leadback-Error` with this status. */
  readonly codes: readonly RefusalCode[];
  readonly meaning: string;
  /** The message of the first one. */
  readonly example: string;
}

/** Groups refusals by status. */
export const offeredRefusals = (names: readonly RefusalName[]): OfferedRefusals[] => {
  const named = names.map((name) => refusalOf(name));
  return [...Map.groupBy(named, ({ code }) => statusOfCode[code])].map(([status, group]) => {
    const codes = [...new Set(group.map(({ code }) => code))];
    return {
      status,
      codes,
      meaning: codes.map((code) => refusals[code].meaning).join(' '),
      example: group[0]?.message ?? '',
    };
  });
};

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
    response.set({ 'Cache-Control': cacheControl, ETag: entityTags[encoding] }).vary('Accept-Encoding');
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.set({ 'Content-Type': type, 'Content-Length': String(bytes[encoding].length) }).end(bytes[encoding]);
  };
};
