import { Refusal, platformNames, reconciliationMeasures, reconciliationOutcomes } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import type { ReconciliationRowRecord } from '@leadback/intake';
import { z } from 'zod';
import { modeOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';
import { optionalQuery } from '../optional-query.ts';
import { recordId } from '../record-id.ts';

const rowsMax = 200;

const row = z.object({
  number: z.int().meta({ description: 'Place in the list; conversions that are not in the list follow.' }),
  outcome: z.enum(reconciliationOutcomes).nullable().meta({ description: '`null`: not compared yet.' }),
  conversionExternalReference: z.string().nullable(),
  amount: z.number().nullable().meta({ description: 'By your list; of an `extra` row, as registered.' }),
  currency: z.string().nullable(),
  clientExternalReference: z.string().nullable(),
  email: z.string().nullable().meta({ description: 'In lower case. Both are `null` if the person was erased.' }),
  occurredAt: z.iso.datetime().nullable(),
  conversionId: z.int().nullable(),
  registeredAmount: z.number().nullable().meta({ description: 'Of the registered conversion, now.' }),
  registeredCurrency: z.string().nullable(),
  undelivered: z.array(z.enum(platformNames)).meta({
    description: 'Platforms to which the matched conversion was not delivered when it was compared.',
  }),
  message: z.string().nullable().meta({ description: 'Why the row is refused, or was not registered by a replay.' }),
});

const numberOrNull = (amount: string | null) => (amount === null ? null : Number(amount));

const view = ({ amount, registeredAmount, occurredAt, ...same }: ReconciliationRowRecord): z.infer<typeof row> => ({
  ...same,
  amount: numberOrNull(amount),
  registeredAmount: numberOrNull(registeredAmount),
  occurredAt: occurredAt?.toISOString() ?? null,
  undelivered: [...same.undelivered],
});

export const outcomeParameter = optionalQuery(
  z.enum(reconciliationMeasures, `expected ${reconciliationMeasures.join(', ')}`),
).meta({ param: { description: 'Only rows with this outcome. Default: all rows.', example: 'missing' } });

export const readReconciliationRows = endpoint<ApiContext>()({
  method: 'get',
  path: '/reconciliation/:id/rows',
  subject: 'Reconciliation',
  summary: 'Read the rows of a reconciliation',
  description: `Returns up to ${rowsMax} rows in the order of the list. Pass \`next\` as \`after\` to read the next page; \`null\`: there is none.`,
  input: z.object({
    id: recordId,
    outcome: outcomeParameter,
    after: optionalQuery(
      z
        .string()
        .regex(/^\d{1,9}$/, 'expected the value of next')
        .transform(Number),
    ).meta({ param: { description: 'The `next` of the page before.', example: '200' } }),
  }),
  headers: nothing,
  replies: {
    200: {
      description: 'A page of rows.',
      body: z.object({ items: z.array(row), next: z.string().nullable() }),
      example: {
        items: [
          {
            number: 17,
            outcome: 'amountDiffers',
            conversionExternalReference: 'order-8731',
            amount: 149.9,
            currency: 'USD',
            clientExternalReference: 'customer-1042',
            email: null,
            occurredAt: '2026-10-03T12:00:00.000Z',
            conversionId: 31,
            registeredAmount: 139.9,
            registeredCurrency: 'USD',
            undelivered: [],
            message: null,
          },
        ],
        next: null,
      },
    },
  },
  refusals: ['not-found.reconciliation'],
  async handle({ input: { id, outcome, after = 0 }, response }, { reconciliation }) {
    const mode = modeOf(response);
    if (!(await reconciliation.read(mode, id))) throw new Refusal('not-found.reconciliation');
    const rows = await reconciliation.readRows(mode, { id, outcome, after, limit: rowsMax });
    const last = rows.length === rowsMax ? rows.at(-1) : undefined;
    return { status: 200, body: { items: rows.map(view), next: last ? String(last.number) : null } };
  },
});
