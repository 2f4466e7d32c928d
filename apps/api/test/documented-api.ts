import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import type { Reply, TestApi } from './given-api.ts';

const parameter = z.object({
  in: z.enum(['path', 'query', 'header']),
  name: z.string(),
  required: z.boolean().optional(),
  example: z.unknown().optional(),
});

export const property = z.object({
  type: z.union([z.string(), z.array(z.string()).transform(([first]) => first)]).optional(),
  maxLength: z.number().optional(),
  minLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.string()).optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  /** Of a text that may be a whole number. */
  anyOf: z.array(z.object({ type: z.string().optional() })).optional(),
});

/** `type: ["boolean", "null"]` says what `anyOf` says. */
const withVariants = (sent: unknown): unknown => {
  const { success, data } = z.looseObject({ type: z.array(z.string()) }).safeParse(sent);
  return success ? { ...data, anyOf: data.type.map((type) => ({ ...data, type })) } : sent;
};

const describedFields = property.extend({ anyOf: z.array(property).optional() });
const describedProperty = z.preprocess(withVariants, describedFields);

const bodySchema = z.object({
  required: z.array(z.string()).default([]),
  properties: z.record(
    z.string(),
    z.preprocess(
      withVariants,
      describedFields.extend({
        items: z.object({ properties: z.record(z.string(), describedProperty).optional() }).optional(),
      }),
    ),
  ),
});

const mediaTypes = ['application/json', 'text/csv'] as const;

// one media type each
const media = z
  .partialRecord(z.enum(mediaTypes), z.object({ schema: z.unknown(), example: z.unknown().optional() }))
  .transform((content, context) => {
    for (const type of mediaTypes) if (content[type]) return { type, ...content[type] };
    context.addIssue('expected a known media type');
    return z.NEVER;
  });

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(parameter).default([]),
  requestBody: z
    .object({
      content: z.object({
        'application/json': z
          .object({
            schema: bodySchema,
            examples: z.record(z.string(), z.object({ value: z.record(z.string(), z.unknown()) })),
          })
          .optional(),
        'text/csv': z.object({ examples: z.record(z.string(), z.object({ value: z.string() })) }).optional(),
      }),
    })
    .optional(),
  responses: z.record(
    z.string(),
    z.object({
      content: media,
      headers: z
        .record(z.string(), z.object({ schema: z.object({ enum: z.array(z.string()).optional() }) }))
        .default({}),
    }),
  ),
});

const methodSchema = z.enum(['get', 'post', 'patch', 'delete']);

const documentSchema = z.object({
  servers: z.tuple([z.object({ url: z.string() })]),
  paths: z.record(z.string(), z.partialRecord(methodSchema, operation)),
});

export type Operation = z.infer<typeof operation>;

type DocumentedHeaders = Operation['responses'][string]['headers'];

/** An operation with its method and path. */
export interface DocumentedOperation extends Operation {
  readonly method: z.infer<typeof methodSchema>;
  readonly path: string;
  /** `POST /client` */
  readonly name: string;
}

/** Every refusal must have a documented `Leadback-Error`; no other response may have one. */
const undocumentedCode = (headers: DocumentedHeaders, { status, headers: sent }: Reply): string[] => {
  const code = sent.get('leadback-error');
  const codes = headers['Leadback-Error']?.schema.enum ?? [];
  const isSaid = status < 400 ? code === null && codes.length === 0 : code !== null && codes.includes(code);
  return isSaid ? [] : [`Leadback-Error ${code} with status ${status}`];
};

/** Reads the OpenAPI document of the running API. */
export const documentedApi = async (api: TestApi) => {
  const { body: document } = await api.send('GET', '/openapi.json');
  const { paths, servers } = documentSchema.parse(document);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(z.record(z.string(), z.unknown()).parse(document), 'api');

  const operations: DocumentedOperation[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) =>
      described
        ? [
            {
              ...described,
              method: methodSchema.parse(method),
              path,
              name: `${method.toUpperCase()} ${path}`,
            },
          ]
        : [],
    ),
  );

  /** The undocumented parts of a response. */
  const undocumented = ({ path, method, responses }: DocumentedOperation, reply: Reply): string[] => {
    const described = responses[reply.status];
    if (!described) return [`status ${reply.status}: ${JSON.stringify(reply.body)}`];
    const { type: documentedType } = described.content;
    const index = ['paths', path, method, 'responses', reply.status, 'content', documentedType, 'schema'];
    const pointer = index.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    const validate = ajv.getSchema(`api#/${pointer}`) ?? ajv.compile({ $ref: `api#/${pointer}` });
    const type = reply.headers.get('content-type');
    return [
      ...(validate(reply.body) === true ? [] : [ajv.errorsText(validate.errors)]),
      ...(type === `${documentedType}; charset=utf-8` ? [] : [`content-type ${type}`]),
      ...undocumentedCode(described.headers, reply),
    ];
  };

  return { document, basePath: servers[0].url, operations, undocumented };
};
