import express, { type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import { refuse } from './refuse.ts';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export const noInput = z.undefined();

interface EndpointDefinition<Context, Input extends z.ZodType> {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** What the JSON body must be; `noInput` where none is asked for. */
  readonly input: Input;
  readonly handle: (
    request: { readonly input: z.output<Input>; readonly response: Response },
    context: Context,
  ) => Promise<Reply>;
}

/** One address of the API: where, what it takes, what it does. */
export interface Endpoint<Context> {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly handlers: (context: Context) => RequestHandler[];
}

const bodyBytesMax = 64 * 1024;
const mediaType = 'application/json';

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

/** Parses the body once, at the door; the handler gets what the schema gives, or the caller gets what is wrong with it. */
export const endpoint = <Context, Input extends z.ZodType>(
  definition: EndpointDefinition<Context, Input>,
): Endpoint<Context> => ({
  method: definition.method,
  path: definition.path,
  handlers(context) {
    const handle: RequestHandler = async (request, response) => {
      const input = definition.input.parse(request.body);
      const { status, body } = await definition.handle({ input, response }, context);
      response.status(status).json(body);
    };
    return definition.method === 'post' ? [jsonOnly, parseJson, handle] : [handle];
  },
});

/** The list of endpoints as a router; another method on one of their paths is answered 405 with `Allow`. */
export const endpointRouter = <Context>(endpoints: readonly Endpoint<Context>[], context: Context): Router => {
  const router = express.Router({ strict: false, caseSensitive: true });
  const paths = Map.groupBy(endpoints, ({ path }) => path);
  for (const [path, offered] of paths) {
    for (const one of offered) router[one.method](path, ...one.handlers(context));
    const allowed = offered.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : ['POST'])).join(', ');
    router.all(path, (request, response) => {
      response.set('Allow', allowed);
      refuse(response, 405, `${request.method} is not offered here; use ${allowed}`);
    });
  }
  return router;
};
