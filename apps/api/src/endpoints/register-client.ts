import { endpoint } from '@leadback/http';
import { clientSchema } from '@leadback/intake';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { linkToLeadTrace } from '../link-to-lead-trace.ts';
import { idempotencyHeaders, idempotencyRefusals } from './idempotency-headers.ts';
import { clientWarnings, referenceWarnings, warnings } from './test-warnings.ts';

const clientId = z.object({ id: z.int().meta({ description: 'The id of the client.' }), warnings });

export const registerClient = endpoint<ApiContext>()({
  method: 'post',
  path: '/client',
  subject: 'Clients',
  summary: 'Register a client',
  description:
    'Registers the person behind a lead reference. If a client with this `externalReference` exists, returns that client unchanged, without checking the lead reference. A lead may have several clients.',
  input: clientSchema,
  examples: {
    'All fields': {
      leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs',
      name: 'Ana García',
      email: 'ana@example.com',
      phoneNumber: '+54 11 2345-6789',
      externalReference: 'customer-1042',
    },
    'Required fields only': { leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs' },
  },
  headers: idempotencyHeaders,
  replies: {
    200: { description: 'The client that already has this `externalReference`.', body: clientId, example: { id: 7 } },
    201: { description: 'A new client.', body: clientId, example: { id: 7 } },
  },
  refusals: [...idempotencyRefusals, 'lead-unknown', 'lead-pending', 'suppressed'],
  async handle({ input, headers, response }, { registerClient: register, readMatchFacts, events }) {
    const startTime = performance.now();
    const mode = modeOf(response);
    const { id, outcome, traceParent, isRepeated } = await register(mode, input, headers['idempotency-key']);
    if (!isRepeated) {
      events.clientRegistered(outcome, mode);
      const attributes = { 'leadback.client.id': id };
      linkToLeadTrace(response.req.span, { name: 'register client', startTime, traceParent, attributes }).end();
    }
    const facts = mode.isTest ? await readMatchFacts(mode, { clientId: id }) : undefined;
    const body = {
      id,
      ...(facts && {
        warnings: [...clientWarnings(facts), ...referenceWarnings({ externalReference: input.externalReference })],
      }),
    };
    return { status: outcome === 'created' ? 201 : 200, body };
  },
});
