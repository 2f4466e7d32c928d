import { type RefusalName, strictSchema } from '@leadback/domain';
import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { BodyReader } from './body-reader.ts';
import { csvParts } from './csv-body.ts';
import { jsonBody } from './json-body.ts';
import { parseInput } from './parse-input.ts';
import { sendJson, sendParts } from './send-reply.ts';

declare global {
  namespace Express {
    interface Request {
      /** Whether fields that an endpoint does not know are refused; otherwise they are ignored. */
      refusesUnknownFields?: boolean;
    }
  }
}

export interface OfferedReply {
  readonly description: string;
  /** Of a reply whose body is an async iterable of text. Default: the body is sent as JSON. */
  readonly mediaType?: 'text/csv';
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
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** In the syntax of Express: `/client/:id`. */
  readonly path: string;
  /** Groups endpoints in the documentation. */
  readonly subject: string;
  readonly summary: string;
  readonly description: string;
  /** Schema of the body or, without a body, of path and query parameters together. */
  readonly input: z.ZodType;
  /** Schema of path and query parameters together, beside a body. Default: none. */
  readonly parameters?: z.ZodObject;
  /** How the body is read. Default: JSON of at most 64 KiB; with GET and DELETE, none. */
  readonly body?: BodyReader | 'none';
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

interface ParsedRequest<Input extends z.ZodType, Headers extends z.ZodObject> {
  readonly input: z.output<Input>;
  readonly headers: z.output<Headers>;
  readonly response: Response;
}

interface TypedDescription<Input extends z.ZodType, Headers extends z.ZodObject, Replies extends OfferedReplies>
  extends EndpointDescription {
  readonly input: Input;
  readonly headers: Headers;
  readonly replies: Replies;
}

interface Handled<Request, Context, Replies extends OfferedReplies> {
  readonly handle: (request: Request, context: Context) => Promise<ReplyOf<NoInfer<Replies>>>;
}

export interface Endpoint<Context> extends EndpointDescription {
  readonly handlers: (context: Context) => RequestHandler[];
}

/** How an endpoint reads its body; undefined if it takes none. */
export const bodyReaderOf = ({ method, body = jsonBody }: EndpointDescription): BodyReader | undefined =>
  method === 'get' || method === 'delete' || body === 'none' ? undefined : body;

type Parse = <Schema extends z.ZodType>(schema: Schema, value: unknown) => z.output<Schema>;
/** Parses path and query. */
type ParseParameters = <Schema extends z.ZodType>(schema: Schema) => z.output<Schema>;

/** Parses a request once: `act` receives valid input, or the caller gets 400 with every error. */
const defined = <Context, Input extends z.ZodType, Headers extends z.ZodObject, Replies extends OfferedReplies>(
  description: TypedDescription<Input, Headers, Replies>,
  act: (request: ParsedRequest<Input, Headers>, context: Context, parse: ParseParameters) => Promise<ReplyOf<Replies>>,
): Endpoint<Context> => ({
  ...description,
  handlers(context) {
    const body = bodyReaderOf(description);
    const handle: RequestHandler = async (request, response) => {
      const isStrict = request.refusesUnknownFields === true;
      const parse: Parse = (schema, value) => parseInput(isStrict ? strictSchema(schema) : schema, value);
      const sent = { ...request.query, ...request.params };
      const input = parse(description.input, body ? request.body : sent);
      if (isStrict && body && !description.parameters) parse(nothing, sent);
      const headers = parseInput(description.headers, request.headers);
      const reply = await act({ input, headers, response }, context, (schema) => parse(schema, sent));
      const type = description.replies[reply.status]?.mediaType;
      if (type === undefined) return sendJson(response, reply.status, reply.body, reply.headers);
      await sendParts(response, reply.status, { ...reply, type, parts: csvParts.parse(reply.body) });
    };
    return [...(body?.handlers ?? []), handle];
  },
});

/** An endpoint whose input is its body or, without a body, its path and query parameters. */
export const endpoint =
  <Context>() =>
  <Input extends z.ZodType, Headers extends z.ZodObject, Replies extends OfferedReplies>({
    handle,
    ...description
  }: TypedDescription<Input, Headers, Replies> &
    Handled<ParsedRequest<Input, Headers>, Context, Replies>): Endpoint<Context> =>
    defined(description, handle);

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
      ParsedRequest<Input, Headers> & { readonly parameters: z.output<Parameters> },
      Context,
      Replies
    >): Endpoint<Context> =>
    defined(description, (request, context: Context, parse) =>
      handle({ ...request, parameters: parse(description.parameters) }, context),
    );
