import { z } from 'zod';
import { sdkOperations } from './operations.ts';
import { declaration } from './typescript-of.ts';

const parameterSchema = z.object({
  in: z.enum(['path', 'query', 'header']),
  name: z.string(),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: z.looseObject({}),
});

const jsonSchema = z.object({ 'application/json': z.object({ schema: z.looseObject({}) }) });
const operationSchema = z.object({
  operationId: z.string(),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z.object({ content: z.unknown() }).optional(),
  responses: z.record(z.string(), z.object({ content: z.unknown() })),
});

interface Operation extends z.infer<typeof operationSchema> {
  /** `POST /client` */
  readonly name: string;
}

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

/** All operations of an OpenAPI document. */
export const operationsOf = (document: unknown): Operation[] =>
  Object.entries(documentSchema.parse(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, name: `${method.toUpperCase()} ${path}` })),
  );

const contentOf = (content: unknown) => jsonSchema.parse(content)['application/json'].schema;

const queryOf = ({ parameters }: Operation) => {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(
      inQuery.map(({ name, description, schema }) => [
        name,
        { ...schema, description: description ?? schema['description'] },
      ]),
    ),
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
  };
};

const itemOf = (body: unknown) =>
  z.object({ properties: z.object({ items: z.object({ items: z.unknown() }) }) }).parse(body).properties.items.items;

/** The type of each part of an operation that has a name. */
const typesOf = (operation: Operation): string[] => {
  const covered = sdkOperations[operation.operationId];
  if (!covered || 'isLeftOut' in covered) return [];
  const { query, body, item, reply } = covered;
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  return [
    ...(query === undefined ? [] : [declaration(query, queryOf(operation))]),
    ...(body === undefined ? [] : [declaration(body, contentOf(operation.requestBody?.content))]),
    ...(item === undefined ? [] : [declaration(item, itemOf(contentOf(operation.requestBody?.content)))]),
    ...(reply === undefined ? [] : [declaration(reply, contentOf(success?.[1].content))]),
  ];
};

const usedComponents = (document: unknown, text: string) => {
  const { schemas } = documentSchema.parse(document).components;
  return Object.entries(schemas).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text) && name !== 'Error');
};

/** The source of `packages/sdk/src/api-types.ts`, not formatted. */
export const apiTypes = (document: unknown, codes: readonly string[]): string => {
  const unionOf = codes.map((code) => JSON.stringify(code)).join(' | ');
  const types = operationsOf(document)
    .flatMap(typesOf)
    .map((type) => type.replaceAll(unionOf, 'ApiErrorCode'));
  // operations that share a reply name only its component
  const components = usedComponents(document, `${types.join('\n')} Conversion`).map(([name, schema]) =>
    declaration(name, schema),
  );
  return [
    '// Written by `node scripts/run.mjs sdk-types` from the schemas of the API. Do not edit.',
    declaration('ApiErrorCode', {
      enum: codes,
      description: 'A value of the header `Leadback-Error`; `/docs` explains each.',
    }),
    ...components,
    ...types,
  ].join('\n\n');
};
