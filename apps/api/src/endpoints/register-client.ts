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
      description: 'The value of `serviceId` with which the visitor came to your page, whole and unchanged.',
    }),
    name: optionalText(200).meta({ description: 'Full name.' }),
    email: emailAddressSchema.meta({
      description: 'E-mail address. Conversions may name the client by it, in any case and spacing.',
    }),
    phoneNumber: optionalText(40).meta({
      description: 'Telephone number, with country code or as it is written in the country of your account.',
    }),
    externalReference: optionalText(255).meta({
      description:
        'Your own identifier for the client. Unique among your clients of one mode (live or test); conversions may name the client by it.',
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
    'Registers the person who came with a lead reference. Where `externalReference` is already known, the client that has it is given and nothing about it changes; it is looked up before the lead reference is checked. One lead may have several clients.',
  input: clientInput,
  examples: {
    'A client with everything': {
      leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs',
      name: 'Ana García',
      email: 'ana@example.com',
      phoneNumber: '+54 11 2345-6789',
      externalReference: 'customer-1042',
    },
    'The least': { leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs' },
  },
  headers: idempotencyHeaders,
  replies: {
    200: { description: 'The client that already has this `externalReference`.', body: clientId, example: { id: 7 } },
    201: { description: 'A new client.', body: clientId, example: { id: 7 } },
  },
  refusals: {
    ...idempotencyRefusals,
    404: {
      codes: ['lead-unknown'],
      meaning: 'No lead of your account has this reference; the message tells a damaged reference from an unknown one.',
      message: 'leadReference: no lead of this account has this reference',
    },
    503: {
      codes: ['lead-pending', 'unavailable', 'overloaded'],
      meaning: 'Not available right now; or, after trouble on our side, this very lead may not have reached us yet.',
      message: 'leadReference: lead not available yet; retry after some seconds',
    },
  },
  async handle({ input, headers, response }, { registerClient: register, events }) {
    const since = performance.now();
    const mode = modeOf(response);
    const registered = await register(mode, input, headers['idempotency-key']);
    const { id, outcome, traceParent, isRepeated } = registered;
    if (!isRepeated) {
      events.clientRegistered(outcome, mode);
      const attributes = { 'leadback.client.id': id };
      linkToLeadTrace(response.req.span, { name: 'register client', since, traceParent, attributes }).end();
    }
    return { status: outcome === 'created' ? 201 : 200, body: { id } };
  },
});
