import { endpointWithParameters, jsonBatchBody, nothing, tellInRequestLog } from '@leadback/http';
import { conversionItemSchema } from '@leadback/intake';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { takeTokens } from '../limit-rate.ts';
import { linkToLeadTrace } from '../link-to-lead-trace.ts';
import { batchBody, batchInput, batchParameters, batchReply, documentedBatch } from './batch.ts';

const outcomes = ['created', 'repeated', 'differs', 'refused'] as const;

// keeps the example within the accepted range
const yesterday = new Date(Date.now() - 86_400_000).toISOString();

export const registerConversions = endpointWithParameters<ApiContext>()({
  method: 'post',
  path: '/client/conversion/batch',
  subject: 'Conversions',
  summary: 'Register up to 500 conversions',
  description:
    'Registers each item as `POST /client/conversion` does, in order, and returns one result per item: an item that is refused does not stop the others. Each item needs a `conversionExternalReference`, so that you can send the batch again safely. Each item counts as one request of your rate limit.',
  parameters: batchParameters,
  body: jsonBatchBody,
  input: batchInput,
  documented: documentedBatch(conversionItemSchema, 'Conversions, as in `POST /client/conversion`.'),
  examples: {
    'Orders from yesterday': {
      items: [
        {
          amount: 149.9,
          currency: 'USD',
          clientExternalReference: 'customer-1042',
          conversionExternalReference: 'order-8740',
          occurredAt: yesterday,
        },
        {
          amount: 25000,
          currency: 'ARS',
          email: 'ana@example.com',
          conversionExternalReference: 'order-8741',
          occurredAt: yesterday,
        },
      ],
    },
  },
  headers: nothing,
  replies: {
    200: {
      description: 'The outcome of each item.',
      body: batchReply(
        outcomes,
        '`created`: a new conversion. `repeated`: the conversion with this `conversionExternalReference` is registered; `id` is its id. `differs`: it is registered with another amount, currency or client; nothing was changed. `refused`: see `message`.',
      ),
      example: {
        results: [
          { index: 0, outcome: 'created', id: 31, leadId: 12 },
          {
            index: 1,
            outcome: 'refused',
            code: 'client-unknown',
            message: 'no client matches clientExternalReference or email',
          },
        ],
        counts: { created: 1, repeated: 0, differs: 0, refused: 1 },
        dryRun: false,
      },
    },
  },
  async handle({ input, parameters, response }, { registerConversions: register, events }) {
    const { dryRun: isDryRun } = parameters;
    const startTime = performance.now();
    takeTokens(response, input.items.length);
    const mode = modeOf(response);
    const found = await register(mode, input.items, { isDryRun });
    for (const conversion of isDryRun ? [] : found) {
      if (conversion.outcome !== 'created') continue;
      const { id, leadId, currency, traceParent } = conversion;
      events.conversionRegistered({ currency, isTest: mode.isTest });
      const attributes = { 'leadback.conversion.id': id, 'leadback.lead.id': leadId };
      linkToLeadTrace(response.req.span, { name: 'register conversion', startTime, traceParent, attributes }).end();
    }
    const body = batchBody(outcomes, found, isDryRun);
    tellInRequestLog(response, { counts: body.counts, isDryRun, isTest: mode.isTest });
    return { status: 200, body };
  },
});
