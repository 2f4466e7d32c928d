import { type RefusalName, warningCodes } from '@leadback/domain';
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { bodyReaderOf, type EndpointDescription, type OfferedRefusals, offeredRefusals } from './endpoint.ts';
import { mediaType } from './bodies.ts';
import { errorHeader, repeatedConversionHeader, repeatedFieldHeader, warningHeaderName } from './errors.ts';

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  readonly license: { readonly name: string; readonly identifier: string };
  readonly contact: { readonly name: string };
  /** Base path of all endpoints. */
  readonly basePath: string;
  /** Descriptions by subject of the endpoints. */
  readonly subjects: Readonly<Record<string, string>>;
  /** The header with the API key. */
  readonly keyHeader: { readonly name: string; readonly description: string };
  /** Of every endpoint. */
  readonly refusals: readonly RefusalName[];
  /** Descriptions by header name: of every response, and of temporary refusals (429, 503). */
  readonly replyHeaders: Readonly<Record<string, string>>;
  readonly waitHeaders: Readonly<Record<string, string>>;
}

const errorBody = z
  .object({ message: z.string() })
  .meta({ id: 'Error', description: 'Names the field and the problem.' });
const temporaryStatuses = [429, 503];

const pathParameters = (path: string) => Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);

/** OpenAPI lists path and query parameters separately. */
const parametersOf = (endpoint: EndpointDescription) => {
  const { path, input, parameters, headers: header } = endpoint;
  const beside = bodyReaderOf(endpoint) ? parameters : input;
  if (!(beside instanceof z.ZodObject)) return { header };
  const inPath = new Set(pathParameters(path));
  const fields = (isInPath: boolean) =>
    z.object(Object.fromEntries(Object.entries(beside.shape).filter(([name]) => inPath.has(name) === isInPath)));
  return { header, path: fields(true), query: fields(false) };
};

const bodyOf = (endpoint: EndpointDescription): ZodOpenApiOperationObject['requestBody'] => {
  const reader = bodyReaderOf(endpoint);
  if (!reader) return undefined;
  const { mediaType: main, otherMediaType: other } = reader;
  const all = Object.entries(endpoint.examples ?? {});
  const named = (examples: typeof all) =>
    Object.fromEntries(examples.map(([summary, value]) => [summary.replaceAll(/\W+/g, '-'), { summary, value }]));
  const ofOther = other === undefined ? [] : all.filter(([, value]) => typeof value === 'string');
  const examples = named(all.filter((one) => !ofOther.includes(one)));
  return {
    required: true,
    content: {
      [main]: { schema: endpoint.documented ?? endpoint.input, examples },
      ...(other !== undefined && { [other]: { schema: { type: 'string' }, examples: named(ofOther) } }),
    },
  };
};

const headersOf = (meanings: Readonly<Record<string, string>>) =>
  z.object(
    Object.fromEntries(Object.entries(meanings).map(([name, description]) => [name, z.string().meta({ description })])),
  );

/** Response headers of a refusal, by its codes. */
const refusalHeaders = ({ codes }: OfferedRefusals, waiting: Readonly<Record<string, string>>) =>
  headersOf(waiting).extend({
    [errorHeader]: z.enum(codes).meta({ description: 'Error code for programs; see "Errors and warnings".' }),
    ...((codes.includes('conversion-repeated') || codes.includes('adjustment-repeated')) && {
      [repeatedConversionHeader]: z.string().optional().meta({
        description:
          'Only with `conversion-repeated` and `conversion-differs`: the id of the first conversion. With `adjustment-repeated`: the id of the conversion.',
      }),
    }),
    ...(codes.includes('conversion-repeated') && {
      [repeatedFieldHeader]: z.enum(['conversionExternalReference', 'eventId']).optional().meta({
        description:
          'Only with `conversion-repeated`: the field that the first conversion has as well. `eventId`: it may be another sale; yours is not registered.',
      }),
    }),
  });

/** Of a success of an endpoint that takes JSON. */
const warningHeaders = {
  [warningHeaderName]: z
    .string()
    .optional()
    .meta({
      description: `What was accepted, but not as sent: \`code;field=name\`, with commas between several. Codes: ${warningCodes.map((code) => `\`${code}\``).join(', ')}; see "Errors and warnings".`,
      example: 'rounded;field=amount, not-usable;field=phoneNumber',
    }),
};

const operation = (endpoint: EndpointDescription, api: ApiDescription): ZodOpenApiOperationObject => {
  const { method, subject, summary, description, replies, refusals = [] } = endpoint;
  const reader = bodyReaderOf(endpoint);
  const ofBody = reader?.refusals ?? [];
  const warned = reader?.mediaType === mediaType ? warningHeaders : {};
  const offered = Object.entries(replies).map(
    ([status, { description: meaning, mediaType: type = mediaType, body, example }]) => [
      status,
      {
        description: meaning,
        headers: headersOf(api.replyHeaders).extend(warned),
        content: { [type]: { schema: body, example } },
      },
    ],
  );
  const refused = offeredRefusals([...refusals, ...ofBody, ...api.refusals]).map((refusal) => [
    refusal.status,
    {
      description: refusal.meaning,
      headers: refusalHeaders(refusal, temporaryStatuses.includes(refusal.status) ? api.waitHeaders : {}),
      content: { [mediaType]: { schema: errorBody, example: { message: refusal.example } } },
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

const tagsOf = (endpoints: readonly EndpointDescription[], descriptions: ApiDescription['subjects']) =>
  [...new Set(endpoints.map(({ subject }) => subject))].map((name) => {
    const description = descriptions[name];
    return { name, ...(description !== undefined && { description }) };
  });

/** Builds an OpenAPI 3.1 document from the schemas that the endpoints use. */
export const openApiDocument = (api: ApiDescription, endpoints: readonly EndpointDescription[]) => {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method]: operation(endpoint, api) };
  }
  const { title, version, description, license, contact, basePath, keyHeader, subjects } = api;
  return createDocument({
    openapi: '3.1.0',
    info: { title, version, description, license, contact },
    servers: [{ url: basePath, description: 'The API of the host that serves this document.' }],
    tags: tagsOf(endpoints, subjects),
    security: [{ key: [] }],
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', ...keyHeader } },
    },
    paths,
  });
};
