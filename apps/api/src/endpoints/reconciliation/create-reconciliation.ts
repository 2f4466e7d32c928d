import { rangeFromSchema, rangeToSchema, Refusal } from '@leadback/domain';
import { endpointWithParameters, listBody, listInput, listItemsMax, nothing, tellInRequestLog } from '@leadback/http';
import { CsvProblem, listedConversionSchema, listedFile, listedItems, refuseUnknownFields } from '@leadback/intake';
import { z } from 'zod';
import { modeOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';

const rangeSchema = z
  .object({
    from: rangeFromSchema.meta({
      param: { description: 'First day of the list, in UTC, or the time at which it begins.', example: '2026-10-01' },
    }),
    to: rangeToSchema.meta({
      param: { description: 'Last day of the list, in UTC, or the time at which it ends.', example: '2026-10-31' },
    }),
  })
  .refine(({ from, to }) => from < to, { path: ['from'], message: 'must be before to' });

export const createReconciliation = endpointWithParameters<ApiContext>()({
  method: 'post',
  path: '/reconciliation',
  subject: 'Reconciliation',
  summary: 'Compare your list of sales with ours',
  description:
    'Takes your list of the sales of a range of time, as JSON (up to 1 MiB and 10,000 items) or CSV (up to 50 MiB and 500,000 rows), and compares it with the registered conversions in the background. The header of a CSV file has the names of the fields; the delimiter is `,` or `;`. A file that cannot be read gets `400` with the line, and nothing is stored; a row with an invalid field is `refused`. Only conversions of the range are reported as `extra`; a sale of the list is found whenever it occurred.',
  parameters: rangeSchema,
  body: listBody,
  input: listInput,
  documented: z.object({
    items: z.array(listedConversionSchema).max(listItemsMax).meta({ description: 'Your sales.' }),
  }),
  examples: {
    'Two sales': {
      items: [
        { conversionExternalReference: 'order-8731', amount: 149.9, currency: 'USD' },
        {
          conversionExternalReference: 'order-8732',
          amount: 80,
          currency: 'USD',
          clientExternalReference: 'customer-1042',
          occurredAt: '2026-10-31T18:20:00-03:00',
        },
      ],
    },
    'The same as a file': `conversionExternalReference,amount,currency,clientExternalReference,occurredAt
order-8731,149.90,USD,,
order-8732,80.00,USD,customer-1042,2026-10-31T18:20:00-03:00
`,
  },
  headers: nothing,
  replies: {
    202: {
      description: 'The list is stored and will be compared.',
      body: z.object({
        id: z.int().meta({ description: 'The id of the reconciliation.' }),
        state: z.literal('pending'),
      }),
      example: { id: 4, state: 'pending' },
    },
  },
  refusals: ['rate-limited.lists'],
  async handle({ input, parameters: { from, to }, response }, { reconciliation }) {
    const mode = modeOf(response);
    if (mode.isTest && 'items' in input) refuseUnknownFields(input.items);
    const rows = 'file' in input ? listedFile(input.file) : listedItems(input.items);
    try {
      const id = await reconciliation.create(mode, { from, until: to }, rows);
      tellInRequestLog(response, { reconciliationId: id });
      return { status: 202, body: { id, state: 'pending' } } as const;
    } catch (error) {
      throw error instanceof CsvProblem ? new Refusal('invalid-fields', { message: `body: ${error.message}` }) : error;
    }
  },
});
