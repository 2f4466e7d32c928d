import type { RefusalName } from '@leadback/domain';
import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { jsonBody, mediaType } from './json-body.ts';

export interface OfferedReply {
  readonly description: string;
  readonly body: z.ZodType;
  readonly example: unknown;
}

type OfferedReplies = Readonly<Record<number, OfferedReply>>;

/** A reply with a body that fits the schema of its status. */
type ReplyOf<Replies extends OfferedReplies> = {
  [Status in keyof Replies & number]: {
    readonly status: Status;
    readonly body: z.input<Replies[Status]['body']>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof Replies & number];

/** For endpoints without input or headers. */
export const nothing = z.object({});

/** The documented part of an endpoint. */
export interface EndpointDescription {
  readonly method: 'get' | 'post';
  /** In the syntax of Express: `/client/:id`. */
  readonly path: string;
  /** Groups endpoints in the documentation. */
  readonly subject: string;
  readonly summary: string;
  readonly description: string;
  /** Schema of the JSON body or, without a body, of path and query parameters together. */
  readonly input: z.ZodType;
  /** Example bodies that are accepted, by title. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Headers by lower-case name. */
  readonly headers: z.ZodObject;
  readonly replies: OfferedReplies;
  /** Additional to the refusals that all endpoints share. The first one of a status is its example. */
  readonly refusals?: readonly RefusalName[];
}

interface EndpointDefinition<
  Context,
  Input extends z.ZodType,
  Headers extends z.ZodObject,
  Replies extends OfferedReplies,
> extends EndpointDescription {
  readonly input: Input;
  readonly headers: Headers;
  readonly replies: Replies;
  readonly handle: (
    request: { readonly input: z.output<Input>; readonly headers: z.output<Headers>; readonly response: Response },
    context: Context,
  ) => Promise<ReplyOf<NoInfer<Replies>>>;
}

export interface Endpoint<Context> extends EndpointDescription {
  readonly handlers: (context: Context) => RequestHandler[];
}

/** Like `response.json()` without what it does for ETags, JSONP and other charsets. */
const send = (response: Response, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const text = JSON.stringify(body);
  const described = { 'Content-Type': `${mediaType}; charset=utf-8`, 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...described }).end(text);
};

/** Parses a request once: the handler receives valid input, or the caller gets 400 with every error. */
export const endpoint =
  <Context>() =>
  <Input extends z.ZodType, Headers extends z.ZodObject, Replies extends OfferedReplies>(
    definition: EndpointDefinition<Context, Input, Headers, Replies>,
  ): Endpoint<Context> => {
    const { handle: act, ...description } = definition;
    const takesBody = definition.method === 'post';
    return {
      ...description,
      handlers(context) {
        const handle: RequestHandler = async (request, response) => {
          const input = definition.input.parse(takesBody ? request.body : { ...request.query, ...request.params });
          const headers = definition.headers.parse(request.headers);
          const reply = await act({ input, headers, response }, context);
          send(response, reply.status, reply.body, reply.headers);
        };
        return [...(takesBody ? jsonBody : []), handle];
      },
    };
  };
