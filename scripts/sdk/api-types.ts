import { z } from 'zod';

const schemaSchema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
  get anyOf() {
    return z.array(schemaSchema).optional();
  },
  get oneOf() {
    return z.array(schemaSchema).optional();
  },
  get items() {
    return schemaSchema.optional();
  },
  get properties() {
    return z.record(z.string(), schemaSchema).optional();
  },
  required: z.array(z.string()).default([]),
});

type JsonSchema = z.infer<typeof schemaSchema>;

const doc = (description: string | undefined) => (description === undefined ? '' : `/** ${description} */\n`);

const objectOf = ({ properties = {}, required }: JsonSchema): string => {
  const fields = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name);
    const type = typeOf(field);
    return `${doc(field.description)}readonly ${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};`;
  });
  return fields.length === 0 ? 'Readonly<Record<string, unknown>>' : `{\n${fields.join('\n')}\n}`;
};

const simple: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The type of a JSON schema in TypeScript. Throws for a schema that it does not know. */
const typeOf = (schema: JsonSchema): string => {
  const { $ref, type, const: only, enum: values, anyOf, oneOf, items } = schema;
  const kinds = anyOf ?? oneOf;
  if ($ref !== undefined) return $ref.replace(/^.*\//, '');
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (kinds) return [...new Set(kinds.map(typeOf))].join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  if (type === 'array') return `readonly (${items ? typeOf(items) : 'unknown'})[]`;
  if (type === 'object') return objectOf(schema);
  const known = simple[type ?? ''];
  if (known === undefined) throw new Error(`no type for the schema ${JSON.stringify(schema)}`);
  return known;
};

/** A type with a name. */
const declaration = (name: string, schema: unknown): string => {
  const parsed = schemaSchema.parse(schema);
  const type = typeOf(parsed);
  const isObject = type.startsWith('{') && parsed.type === 'object';
  return `${doc(parsed.description)}export ${isObject ? `interface ${name} ${type}` : `type ${name} = ${type};`}`;
};

/** A method of the SDK and the names of the types of its operation. */
interface Covered {
  readonly method: string;
  readonly query?: string;
  readonly body?: string;
  /** The type of one item of a body with `items`. */
  readonly item?: string;
  readonly reply?: string;
}

interface LeftOut {
  /** Why the SDK has no method for it. */
  readonly isLeftOut: string;
}

const files = {
  isLeftOut:
    'whole files go to the API as they are, with curl or from the console; programs have `registerConversions`',
};
const decision = { isLeftOut: 'a decision of people, in the console or with curl' };
const reconciliation = {
  isLeftOut: 'a comparison with the books, which people start and read, in the console or with curl',
};

/** Every operation of the API by its `operationId`. */
export const sdkOperations: Readonly<Record<string, Covered | LeftOut>> = {
  get: { method: 'checkKey', reply: 'KeyCheck' },
  postLead: { method: 'registerLead', body: 'LeadInput', reply: 'RegisteredLead' },
  postClient: { method: 'registerClient', body: 'ClientInput', reply: 'RegisteredClient' },
  postClientBatch: { method: 'registerClients', reply: 'ClientBatch' },
  getClientId: { method: 'getClient', reply: 'Client' },
  postClientErasure: { method: 'eraseClient', body: 'ErasureInput', reply: 'AskedErasure' },
  postClientAllow: { method: 'allowClient', body: 'PersonToAllow', reply: 'AllowedPerson' },
  getClientErasureId: { method: 'getErasure', reply: 'Erasure' },
  getClientErasure: decision,
  postClientErasureIdConfirmation: decision,
  postClientConversion: { method: 'registerConversion', body: 'ConversionInput', reply: 'RegisteredConversion' },
  postClientConversionBatch: { method: 'registerConversions', item: 'ConversionBatchItem', reply: 'ConversionBatch' },
  postClientConversionAdjustment: {
    method: 'adjustConversion',
    body: 'AdjustmentInput',
    reply: 'RegisteredAdjustment',
  },
  getClientConversionId: { method: 'getConversion' },
  getClientConversion: { method: 'findConversion' },
  getClientConversions: { method: 'listConversions', query: 'ConversionFilter', reply: 'ConversionPage' },
  getReportQuality: { isLeftOut: 'advice for people, which the console and the operator show' },
  getReportDeliveries: { isLeftOut: 'figures for people, which the console shows' },
  getReportMetrics: { isLeftOut: 'figures for people, which the console shows' },
  postImport: files,
  postImportPreview: files,
  getImportId: files,
  getImportIdResultCsv: files,
  postReconciliation: reconciliation,
  getReconciliationId: reconciliation,
  getReconciliationIdRows: reconciliation,
  getReconciliationIdRowsCsv: reconciliation,
  postReconciliationIdReplay: reconciliation,
  postWebhook: { method: 'createWebhook', body: 'WebhookInput', reply: 'CreatedWebhook' },
  getWebhook: { method: 'listWebhooks', reply: 'WebhookList' },
  patchWebhookId: { method: 'changeWebhook', body: 'WebhookChanges' },
  deleteWebhookId: { method: 'deleteWebhook', reply: 'DeletedWebhook' },
  postWebhookIdSecret: { method: 'rotateWebhookSecret', reply: 'RotatedSecret' },
  postWebhookIdTest: { method: 'testWebhook', reply: 'SentDelivery' },
  getWebhookIdDeliveries: {
    method: 'listWebhookDeliveries',
    query: 'WebhookDeliveryFilter',
    reply: 'WebhookDeliveryPage',
  },
  postWebhookIdDeliveriesDeliveryIdRetry: { method: 'retryWebhookDelivery' },
};

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

const unionOf = (codes: readonly string[]) => codes.map((code) => JSON.stringify(code)).join(' | ');

/** The source of `packages/sdk/src/api-types.ts`, not formatted. */
export const apiTypes = (document: unknown, codes: readonly string[], warningCodes: readonly string[]): string => {
  const named = (type: string) =>
    type.replaceAll(unionOf(codes), 'ApiErrorCode').replaceAll(unionOf(warningCodes), 'WarningCode');
  const types = operationsOf(document).flatMap(typesOf).map(named);
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
    declaration('WarningCode', {
      enum: warningCodes,
      description: 'A code of the header `Leadback-Warning`; `/docs` explains each.',
    }),
    ...components.map(named),
    ...types,
  ].join('\n\n');
};
