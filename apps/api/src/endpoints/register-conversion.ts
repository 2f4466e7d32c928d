import {
  amountSchema,
  currencySchema,
  emailAddressSchema,
  eventIdSchema,
  occurredAtSchema,
  optionalText,
} from '@leadback/domain';
import { endpoint } from '@leadback/http';
import { loggedTrace, traceParentOf } from '@leadback/tracing';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { linkToLeadTrace } from '../link-to-lead-trace.ts';
import { publishFeedback } from '../publish-feedback.ts';
import { idempotencyHeaders, idempotencyRefusals } from './idempotency-headers.ts';

// an example has to be accepted on the day that it is read
const yesterday = new Date(Date.now() - 86_400_000).toISOString();

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
      occurredAt: occurredAtSchema.meta({
        description:
          'When the conversion occurred, if not now: RFC 3339 with an offset, at most 5 minutes ahead and 400 days ago. Each platform has an age limit of its own; what is too old for it is `skipped`.',
      }),
      eventId: eventIdSchema.meta({
        description:
          'The id that your own pixel or tag sends for the same sale, so that a platform counts both once. Left out: your `conversionExternalReference`, else an id of ours.',
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
    'An order of yesterday, which the pixel on your page has reported as well': {
      amount: 80,
      currency: 'USD',
      clientExternalReference: 'customer-1042',
      conversionExternalReference: 'order-8730',
      occurredAt: yesterday,
      eventId: 'order-8730',
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
    400: {
      codes: ['invalid-json', 'invalid-fields', 'conversion-repeated'],
      meaning: 'Something in the request is wrong, and the message names the field; or the sale is registered already.',
      message: 'conversionExternalReference: a conversion with this reference already exists',
    },
    404: {
      codes: ['client-unknown'],
      meaning: 'No client of your account matches.',
      message: 'no client matches clientExternalReference or email',
    },
  },
  async handle({ input, headers, response }, { registerConversion: register, publisher, events }) {
    const mode = modeOf(response);
    const since = performance.now();
    const registered = await register(mode, input, headers['idempotency-key']);
    const { id, leadId, traceParent, isRepeated } = registered;
    if (isRepeated) return { status: 201, body: { id, leadId } };
    const attributes = { 'leadback.conversion.id': id, 'leadback.lead.id': leadId };
    const span = linkToLeadTrace(response.req.span, { name: 'register conversion', since, traceParent, attributes });
    const feedback = registered.feedback.map((one) => ({ ...one, traceParent: traceParentOf(span) }));
    events.conversionRegistered({ id, currency: input.currency, isTest: mode.isTest, feedback }, loggedTrace(span));
    span.end();
    // not waited for: the conversion is on disk, and what the broker does not take the relay finds
    void publishFeedback({ publisher, events }, 'request', feedback);
    return { status: 201, body: { id, leadId } };
  },
});
