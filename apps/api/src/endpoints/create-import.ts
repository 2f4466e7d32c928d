import { Refusal } from '@leadback/domain';
import { csvBody, csvBytes, endpointWithParameters, nothing, tellInRequestLog } from '@leadback/http';
import { CsvProblem } from '@leadback/intake';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { dryRunParameter } from './dry-run-parameter.ts';
import { importState, importSubject } from './import-reply.ts';

const example = `conversionExternalReference,clientExternalReference,amount,currency
order-8731,customer-1042,149.90,USD
order-8732,customer-1043,80.00,USD
`;

export const createImport = endpointWithParameters<ApiContext>()({
  method: 'post',
  path: '/import',
  subject: 'Imports',
  summary: 'Import a CSV file',
  description:
    'Stores a file of clients or conversions, up to 50 MiB and 500,000 rows, and registers its rows in the background, in the order of the file. The header has the field names of the single call; the delimiter is `,` or `;`. An empty cell counts as not sent. A header with an unknown, missing or repeated column gets `400` and stores nothing. Conversions need `conversionExternalReference`, so a file that is sent again registers nothing twice.',
  parameters: z.object({
    of: importSubject.meta({ param: { description: 'What each row is.', example: 'conversion' } }),
    dryRun: dryRunParameter('`true` finds the outcome of each row and registers nothing.'),
  }),
  body: csvBody,
  input: csvBytes,
  examples: { Conversions: example },
  headers: nothing,
  replies: {
    202: {
      description: 'The file is stored or, if a row cannot be read, refused.',
      body: z.object({
        id: z.int().meta({ description: 'The id of the import.' }),
        state: importState,
        message: z.string().optional().meta({ description: 'Why the file was refused, with the line.' }),
      }),
      example: { id: 3, state: 'pending' },
    },
  },
  async handle({ input, parameters, response }, { imports }) {
    const { of: subject, dryRun: isDryRun } = parameters;
    try {
      const { id, problem } = await imports.store({ ...modeOf(response), subject, isDryRun }, input);
      tellInRequestLog(response, { importId: id });
      const state = problem === undefined ? 'pending' : 'refused';
      return { status: 202, body: { id, state, ...(problem !== undefined && { message: problem }) } } as const;
    } catch (error) {
      throw error instanceof CsvProblem ? new Refusal('invalid-fields', { message: `body: ${error.message}` }) : error;
    }
  },
});
