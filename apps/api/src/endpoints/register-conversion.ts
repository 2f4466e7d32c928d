import { amountSchema, currencySchema, emailAddressSchema, optionalText } from '@leadback/domain';
import { endpoint } from '@leadback/http';
import { loggedTrace, traceParentOf } from '@leadback/tracing';
import { z } from 'zod';
import { callerOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { noteInLeadTrace } from '../lead-trace.ts';
import { publishFeedback } from '../publish-feedback.ts';
import { idempotencyHeaders, idempotencyRefusals } from './idempotency-headers.ts';

const conversionInput = z
  .object(
    {
      amount: amountSchema.meta({ description: 'Worth of the conversion; rounded half up to the cent.' }),
      currency: currencySchema.meta({ description: 'In capitals.' }),
      email: emailAddressSchema.meta({
        description: 'E-mail address of the client. Where several clients have it, the newest is meant.',
      }),
      clientExternalReference: optionalText(255).meta({
        description: 'The `externalReference` of the client. Goes before `email` where both are sent.',
      }),
      conversionExternalReference: optionalText(255).meta({
        description: 'Your own identifier for the conversion, such as an order number. Is registered once.',
      }),
    },
    { error: 'expected a JSON object' },
  )
  .refine(({ email, clientExternalReference }) => email !== undefined || clientExternalReference !== undefined, {
    path: ['email'],
    message: 'email or clientExternalReference is needed to find the client',
    // said together with what is wrong elsewhere, but not where one of the two was sent and is itself wrong
    when: ({ issues }) => issues.every(({ path: [field] = [] }) => field === 'amount' || field === 'currency'),
  });

export const registerConversion = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/conversion',
  subject: 'Conversions',
  summary: 'Register a conversion',
  description:
    'Registers what a client was worth and reports it to the advertising platforms of your account. The client is named by `clientExternalReference`, `email` or both; one of them is needed. Send `conversionExternalReference` or an `Idempotency-Key`, so that a request can be repeated safely when its answer was lost.',
  input: conversionInput,
  examples: {
    'By your own references': {
      amount: 149.9,
      currency: 'USD',
      clientExternalReference: 'customer-1042',
      conversionExternalReference: 'order-8731',
    },
    'By e-mail': { amount: 25000, currency: 'ARS', email: 'ana@example.com' },
  },
  headers: idempotencyHeaders,
  replies: {
    201: {
      description: 'The conversion is registered.',
      body: z.object({
        id: z.int().meta({ description: 'The id of the conversion.' }),
        leadId: z.int().meta({ description: 'The id of the lead that the client came from.' }),
      }),
      example: { id: 31, leadId: 12 },
    },
  },
  refusals: {
    ...idempotencyRefusals,
    404: {
      meaning: 'No client of your account matches.',
      message: 'no client matches clientExternalReference or email',
    },
  },
  async handle({ input, headers, response }, { registerConversion: register, publisher, events }) {
    const { accountId, isTest } = callerOf(response);
    const since = performance.now();
    const registered = await register(accountId, { ...input, isTest }, headers['idempotency-key']);
    const { id, leadId, traceParent, isRepeated } = registered;
    if (isRepeated) return { status: 201, body: { id, leadId } };
    const attributes = { 'leadback.conversion.id': id, 'leadback.lead.id': leadId };
    const span = noteInLeadTrace(response.req.span, { name: 'register conversion', since, traceParent, attributes });
    const feedback = registered.feedback.map((one) => ({ ...one, traceParent: traceParentOf(span) }));
    events.conversionRegistered({ id, currency: input.currency, isTest, feedback }, loggedTrace(span));
    span.end();
    // not waited for: the conversion is on disk, and what the broker does not take the relay finds
    void publishFeedback({ publisher, events }, 'request', feedback);
    return { status: 201, body: { id, leadId } };
  },
});
