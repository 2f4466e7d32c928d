import { emailAddressSchema, optionalText, requiredText } from '@leadback/domain';
import { endpoint } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { linkToLeadTrace } from '../link-to-lead-trace.ts';
import { idempotencyHeaders, idempotencyRefusals } from './idempotency-headers.ts';

const clientInput = z.object(
  {
    leadReference: requiredText(64).meta({
      description: 'The value of `serviceId` in the URL with which the visitor reached your page, unchanged.',
    }),
    name: optionalText(200).meta({ description: 'Full name.' }),
    email: emailAddressSchema.meta({
      description:
        'Email address. Conversions may identify the client by it; case and surrounding spaces do not matter.',
    }),
    phoneNumber: optionalText(40).meta({
      description: 'Phone number, with country code or in the national format of the country of your account.',
    }),
    externalReference: optionalText(255).meta({
      description:
        'Your own identifier for the client. Unique among your clients of one mode (live or test); conversions may identify the client by it.',
    }),
  },
  { error: 'expected a JSON object' },
);

const clientId = z.object({ id: z.int().meta({ description: 'The id of the client.' }) });

export const registerClient = endpoint<ApiContext>()({
  method: 'post',
  path: '/client',
  subject: 'Clients',
  summary: 'Register a client',
  description:
    'Registers the person behind a lead reference. If a client with this `externalReference` exists, returns that client unchanged, without checking the lead reference. A lead may have several clients.',
  input: clientInput,
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
  refusals: [...idempotencyRefusals, 'lead-unknown', 'lead-pending'],
  async handle({ input, headers, response }, { registerClient: register, events }) {
    const startTime = performance.now();
    const mode = modeOf(response);
    const registered = await register(mode, input, headers['idempotency-key']);
    const { id, outcome, traceParent, isRepeated } = registered;
    if (!isRepeated) {
      events.clientRegistered(outcome, mode);
      const attributes = { 'leadback.client.id': id };
      linkToLeadTrace(response.req.span, { name: 'register client', startTime, traceParent, attributes }).end();
    }
    return { status: outcome === 'created' ? 201 : 200, body: { id } };
  },
});
