import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { EndpointDescription, OfferedRefusal } from './endpoint.ts';
import { mediaType } from './json-body.ts';
import { errorHeader, repeatedConversionHeader } from './refuse.ts';

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  /** The path that all endpoints stand under. */
  readonly basePath: string;
  /** The header that carries the caller's key. */
  readonly keyHeader: { readonly name: string; readonly description: string };
  /** Refusals that every endpoint shares, by status; those of 413 and 415 only where a body is taken. */
  readonly refusals: Readonly<Record<number, OfferedRefusal>>;
  /** What headers tell, by name: those of every reply, and those of refusals that pass. */
  readonly replyHeaders: Readonly<Record<string, string>>;
  readonly waitHeaders: Readonly<Record<string, string>>;
}

const errorBody = z
  .object({ message: z.string() })
  .meta({ id: 'Error', description: 'Says what is wrong, and where.' });
const ofBodies = ['413', '415'];
const passing = ['429', '503'];

const pathParameters = (path: string) => Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);

/** Path and query as the document has them apart. */
const parametersOf = ({ method, path, input, headers }: EndpointDescription) => {
  const header = headers;
  if (method === 'post' || !(input instanceof z.ZodObject)) return { header };
  const inPath = new Set(pathParameters(path));
  const fields = (isInPath: boolean) =>
    z.object(Object.fromEntries(Object.entries(input.shape).filter(([name]) => inPath.has(name) === isInPath)));
  return { header, path: fields(true), query: fields(false) };
};

const bodyOf = ({ method, input, examples = {} }: EndpointDescription): ZodOpenApiOperationObject['requestBody'] =>
  method === 'get'
    ? undefined
    : {
        required: true,
        content: {
          [mediaType]: {
            schema: input,
            examples: Object.fromEntries(
              Object.entries(examples).map(([summary, value]) => [summary.replaceAll(/\W+/g, '-'), { summary, value }]),
            ),
          },
        },
      };

const headersOf = (meanings: Readonly<Record<string, string>>) =>
  z.object(
    Object.fromEntries(Object.entries(meanings).map(([name, description]) => [name, z.string().meta({ description })])),
  );

/** The headers of a refusal, by the codes that it may carry. */
const refusalHeaders = ({ codes }: OfferedRefusal, waiting: Readonly<Record<string, string>>) =>
  headersOf(waiting).extend({
    [errorHeader]: z.enum(codes).meta({ description: 'Why, for programs; see "Errors".' }),
    ...(codes.includes('conversion-repeated') && {
      [repeatedConversionHeader]: z
        .string()
        .optional()
        .meta({ description: 'Of `conversion-repeated`: the id of the conversion that was registered first.' }),
    }),
  });

const operation = (endpoint: EndpointDescription, api: ApiDescription): ZodOpenApiOperationObject => {
  const { method, subject, summary, description, replies, refusals = {} } = endpoint;
  const shared = Object.entries(api.refusals).filter(([status]) => method === 'post' || !ofBodies.includes(status));
  const offered = Object.entries(replies).map(([status, { description: meaning, body, example }]) => [
    status,
    {
      description: meaning,
      headers: headersOf(api.replyHeaders),
      content: { [mediaType]: { schema: body, example } },
    },
  ]);
  const refused = [...shared, ...Object.entries(refusals)].map(([status, refusal]) => [
    status,
    {
      description: refusal.meaning,
      headers: refusalHeaders(refusal, passing.includes(status) ? api.waitHeaders : {}),
      content: { [mediaType]: { schema: errorBody, example: { message: refusal.message } } },
    },
  ]);
  const requestBody = bodyOf(endpoint);
  return {
    tags: [subject],
    summary,
    description,
    operationId: `${method}${endpoint.path.replaceAll(/\W+(\w)?/g, (_, letter: string = '') => letter.toUpperCase())}`,
    requestParams: parametersOf(endpoint),
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries([...offered, ...refused]),
  };
};

/** The OpenAPI 3.1 document of an API, made of the schemas by which its endpoints parse and answer. */
export const openApiDocument = (api: ApiDescription, endpoints: readonly EndpointDescription[]) => {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method]: operation(endpoint, api) };
  }
  const { title, version, description, basePath, keyHeader } = api;
  return createDocument({
    openapi: '3.1.0',
    info: { title, version, description },
    servers: [{ url: basePath }],
    security: [{ key: [] }],
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', ...keyHeader } },
    },
    paths,
  });
};
