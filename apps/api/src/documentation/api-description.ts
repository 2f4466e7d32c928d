import { z } from 'zod';

/** The parts of a JSON Schema that the reference shows. */
export const jsonSchema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  const: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).default([]),
  get properties() {
    return z.record(z.string(), jsonSchema).default({});
  },
  get items() {
    return jsonSchema.optional();
  },
  get anyOf() {
    return z.array(jsonSchema).default([]);
  },
  get oneOf() {
    return z.array(jsonSchema).default([]);
  },
  get allOf() {
    return z.array(jsonSchema).default([]);
  },
});

export type JsonSchema = z.infer<typeof jsonSchema>;

const parameter = z.object({
  in: z.enum(['path', 'query', 'header']),
  name: z.string(),
  required: z.boolean().default(false),
  description: z.string().default(''),
  example: z.unknown().optional(),
  schema: jsonSchema,
});

const content = z.record(
  z.string(),
  z.object({
    schema: jsonSchema,
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ summary: z.string(), value: z.unknown() })).default({}),
  }),
);

const operation = z.object({
  tags: z.tuple([z.string()]),
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string(),
      headers: z.record(z.string(), z.object({ description: z.string().default(''), schema: jsonSchema })).default({}),
      content: content.default({}),
    }),
  ),
});

const methods = ['post', 'get', 'put', 'patch', 'delete'] as const;

/** What the pages show of an OpenAPI document of this API. */
export const apiDescription = z.object({
  servers: z.tuple([z.object({ url: z.string() })]),
  tags: z.array(z.object({ name: z.string(), description: z.string().default('') })),
  paths: z.record(z.string(), z.partialRecord(z.enum(methods), operation)),
  components: z.object({ schemas: z.record(z.string(), jsonSchema).default({}) }),
});

export type ApiDescription = z.infer<typeof apiDescription>;
export type Content = z.infer<typeof content>;

/** An operation with its method and full path. */
export interface Operation extends z.infer<typeof operation> {
  readonly method: string;
  readonly path: string;
}

export const operationsOf = ({ paths, servers: [{ url }] }: ApiDescription): Operation[] =>
  Object.entries(paths).flatMap(([path, offered]) =>
    methods.flatMap((method) => {
      const described = offered[method];
      return described ? [{ ...described, method: method.toUpperCase(), path: url + path }] : [];
    }),
  );
