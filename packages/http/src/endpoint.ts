import type { RefusalCode } from '@leadback/domain';
import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { jsonBody } from './json-body.ts';

/** What an endpoint may answer under one status. */
export interface OfferedReply {
  readonly description: string;
  readonly body: z.ZodType;
  readonly example: unknown;
}

/** A refusal: when it is given, and what it says then. */
export interface OfferedRefusal {
  /** What `Leadback-Error` may say with this status. */
  readonly codes: readonly [RefusalCode, ...RefusalCode[]];
  readonly meaning: string;
  readonly message: string;
}

type OfferedReplies = Readonly<Record<number, OfferedReply>>;

/** One of the replies that an endpoint offers, with a body that fits its schema. */
type ReplyOf<Replies extends OfferedReplies> = {
  [Status in keyof Replies & number]: {
    readonly status: Status;
    readonly body: z.input<Replies[Status]['body']>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof Replies & number];

/** For an endpoint that takes nothing, or reads no header. */
export const nothing = z.object({});

/** What is told of an endpoint to those who call it. */
export interface EndpointDescription {
  readonly method: 'get' | 'post';
  /** As Express reads it: `/client/:id`. */
  readonly path: string;
  /** What it is about; endpoints about the same stand together in the documentation. */
  readonly subject: string;
  readonly summary: string;
  readonly description: string;
  /** What the JSON body must be; where there is none, what path and query must be together. */
  readonly input: z.ZodType;
  /** Bodies that are accepted, by what they show. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** What it reads of the headers, by their names in lower case. */
  readonly headers: z.ZodObject;
  readonly replies: OfferedReplies;
  /** Refusals of its own, beyond those that every endpoint shares. */
  readonly refusals?: Readonly<Record<number, OfferedRefusal>>;
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

/** One address of the API: where, what it takes, what it does. */
export interface Endpoint<Context> extends EndpointDescription {
  readonly handlers: (context: Context) => RequestHandler[];
}

/** Parses a request once, at the door; the handler gets what the schemas give, or the caller gets what is wrong with it. */
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
          response
            .status(reply.status)
            .set(reply.headers ?? {})
            .json(reply.body);
        };
        return [...(takesBody ? jsonBody : []), handle];
      },
    };
  };
