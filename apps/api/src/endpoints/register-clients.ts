import { endpointWithParameters, jsonBatchBody, tellInRequestLog } from '@leadback/http';
import { clientSchema } from '@leadback/intake';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { takeTokens } from '../limit-rate.ts';
import { linkToLeadTrace } from '../link-to-lead-trace.ts';
import { batchBody, batchInput, batchParameters, batchReply, documentedBatch } from './batch.ts';
import { idempotencyHeaders } from './idempotency-headers.ts';

const outcomes = ['created', 'existing', 'refused'] as const;

export const registerClients = endpointWithParameters<ApiContext>()({
  method: 'post',
  path: '/client/batch',
  subject: 'Clients',
  summary: 'Register up to 500 clients',
  description:
    'Registers each item as `POST /client` does, in order, and returns one result per item: an item that is refused does not stop the others. Give each client an `externalReference` or send an `Idempotency-Key`, so that you can send the batch again safely. A lead that is not available yet is refused at once: send the item again. Each item counts as one request of your rate limit.',
  parameters: batchParameters,
  body: jsonBatchBody,
  input: batchInput,
  documented: documentedBatch(clientSchema, 'Clients, as in `POST /client`.'),
  examples: {
    'Two clients': {
      items: [
        { leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs', externalReference: 'customer-1042', email: 'ana@example.com' },
        { leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs', externalReference: 'customer-1043', name: 'Eva García' },
      ],
    },
  },
  headers: idempotencyHeaders,
  replies: {
    200: {
      description: 'The outcome of each item.',
      body: batchReply(
        outcomes,
        '`created`: a new client. `existing`: the client that already has this `externalReference`, unchanged. `refused`: see `message`.',
      ),
      example: {
        results: [
          { index: 0, outcome: 'existing', id: 7 },
          { index: 1, outcome: 'created', id: 8 },
        ],
        counts: { created: 1, existing: 1, refused: 0 },
        dryRun: false,
      },
    },
  },
  async handle({ input, parameters, headers, response }, { registerClients: register, events }) {
    const { dryRun: isDryRun } = parameters;
    const startTime = performance.now();
    takeTokens(response, input.items.length);
    const mode = modeOf(response);
    const found = await register(mode, input.items, { isDryRun }, headers['idempotency-key']);
    for (const client of isDryRun ? [] : found) {
      if (client.outcome === 'refused' || client.isRepeated) continue;
      const { outcome, id, traceParent } = client;
      events.clientRegistered(outcome === 'existing' ? 'known' : outcome, mode);
      const attributes = { 'leadback.client.id': id };
      linkToLeadTrace(response.req.span, { name: 'register client', startTime, traceParent, attributes }).end();
    }
    const body = batchBody(outcomes, found, isDryRun);
    tellInRequestLog(response, { counts: body.counts, isDryRun, isTest: mode.isTest });
    return { status: 200, body };
  },
});
