import type { ApiDescription, Content, Operation } from './api-description.ts';
import { operationsOf } from './api-description.ts';
import { markdownTable } from './markdown-table.ts';
import { schemaReader } from './schema-rows.ts';

type SchemaReader = ReturnType<typeof schemaReader>;
type Response = Operation['responses'][string];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));
const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
const languageOf = (mediaType: string) => (mediaType === 'application/json' ? 'json' : 'text');

const parameterTable = ({ parameters }: Operation, { typeOf }: SchemaReader): string[] =>
  parameters.length === 0
    ? []
    : [
        '#### Parameters',
        markdownTable(
          ['name', 'in', 'type', 'description'],
          parameters.map(({ in: place, name, required, description, schema }) => [
            `\`${name}\`${required ? ' **required**' : ''}`,
            place,
            typeOf(schema),
            description,
          ]),
        ),
      ];

const fieldTable = (schema: Content[string]['schema'], { rowsOf }: SchemaReader, isRequest: boolean): string[] => {
  const rows = rowsOf(schema).map(({ name, type, isRequired, description }) => [
    `\`${name}\`${isRequest && isRequired ? ' **required**' : ''}`,
    type,
    description,
  ]);
  return rows.length === 0 ? [] : [markdownTable(['field', 'type', 'description'], rows)];
};

const bodySections = ({ requestBody }: Operation, reader: SchemaReader): string[] =>
  Object.entries(requestBody?.content ?? {}).flatMap(([mediaType, { schema, examples }]) => [
    `#### Body: \`${mediaType}\``,
    ...fieldTable(schema, reader, true),
    ...Object.values(examples).flatMap(({ summary, value }) => [
      `${summary}:`,
      fenced(languageOf(mediaType), textOf(value)),
    ]),
  ]);

const successSections = ([status, { description, content }]: [string, Response], reader: SchemaReader): string[] => [
  `#### Response ${status}`,
  description,
  ...Object.entries(content).flatMap(([mediaType, { schema, example }]) => [
    ...fieldTable(schema, reader, false),
    ...(example === undefined ? [] : [fenced(languageOf(mediaType), textOf(example))]),
  ]),
];

const codesOf = ({ headers }: Response): string =>
  (headers['Leadback-Error']?.schema.enum ?? []).map((code) => `[\`${code}\`](/docs/errors#${code})`).join(', ');

const errorTable = (errors: readonly [string, Response][]): string[] => [
  '#### Errors',
  markdownTable(
    ['status', '`Leadback-Error`'],
    errors.map(([status, response]) => [status, codesOf(response)]),
  ),
];

const isSuccess = ([status]: [string, Response]) => status.startsWith('2');

const operationSections = (operation: Operation, reader: SchemaReader): string[] => {
  const responses = Object.entries(operation.responses);
  return [
    `### ${operation.summary}`,
    `\`${operation.method} ${operation.path}\``,
    operation.description,
    ...parameterTable(operation, reader),
    ...bodySections(operation, reader),
    ...responses.filter(isSuccess).flatMap((response) => successSections(response, reader)),
    ...errorTable(responses.filter((response) => !isSuccess(response))),
  ];
};

/** The reference of every operation, in Markdown. */
export const referencePage = (api: ApiDescription): string => {
  const reader = schemaReader(api.components.schemas);
  const operations = operationsOf(api);
  const subjects = api.tags.flatMap(({ name, description }) => [
    `## ${name}`,
    description,
    ...operations
      .filter(({ tags: [subject] }) => subject === name)
      .flatMap((operation) => operationSections(operation, reader)),
  ]);
  return [
    '# API reference',
    'Every request needs your key in the header `x-api-key`. [Requests and limits](/docs/requests) has the rules of all endpoints. [Try it](/docs/try) sends requests from this browser. For tools: [`/openapi.json`](/openapi.json).',
    ...subjects,
  ].join('\n\n');
};
