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

// keeps the example within the accepted range
const yesterday = new Date(Date.now() - 86_400_000).toISOString();

const conversionInput = z
  .object(
    {
      amount: amountSchema.meta({ description: 'Value of the conversion, rounded half up to the cent.' }),
      currency: currencySchema.meta({ description: 'Upper case.' }),
      email: emailAddressSchema.meta({
        description: 'Email address of the client. If several clients have it, the newest is used.',
      }),
      clientExternalReference: optionalText(255).meta({
        description: 'The `externalReference` of the client. Takes precedence over `email`.',
      }),
      conversionExternalReference: optionalText(255).meta({
        description: 'Your own identifier for the conversion, such as an order number. Registered only once.',
      }),
      occurredAt: occurredAtSchema.meta({
        description:
          'When the conversion occurred, if not now: RFC 3339 with an offset, at most 5 minutes ahead and 400 days ago. Each platform has its own age limit; an event that is too old for a platform is `skipped`.',
      }),
      eventId: eventIdSchema.meta({
        description:
          'The id that your pixel or tag sends for the same sale, so that platforms count it once. Default: your `conversionExternalReference`, otherwise a new id.',
      }),
    },
    { error: 'expected a JSON object' },
  )
  .refine(({ email, clientExternalReference }) => email !== undefined || clientExternalReference !== undefined, {
    path: ['email'],
    message: 'email or clientExternalReference is needed to find the client',
    // reported together with errors in other fields, but not if one of the two was sent with an error
    when: ({ issues }) => issues.every(({ path: [field] = [] }) => field === 'amount' || field === 'currency'),
  });

export const registerConversion = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/conversion',
  subject: 'Conversions',
  summary: 'Register a conversion',
  description:
    'Registers a conversion of a client and reports it to the platforms of your account. Identify the client by `clientExternalReference`, `email` or both. Send `conversionExternalReference` or an `Idempotency-Key`, so that you can retry safely if a response is lost.',
  input: conversionInput,
  examples: {
    'By your own identifiers': {
      amount: 149.9,
      currency: 'USD',
      clientExternalReference: 'customer-1042',
      conversionExternalReference: 'order-8731',
    },
    'An order from yesterday that your pixel has reported too': {
      amount: 80,
      currency: 'USD',
      clientExternalReference: 'customer-1042',
      conversionExternalReference: 'order-8730',
      occurredAt: yesterday,
      eventId: 'order-8730',
    },
    'By email': { amount: 25000, currency: 'ARS', email: 'ana@example.com' },
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
  refusals: [...idempotencyRefusals, 'client-unknown', 'conversion-repeated'],
  async handle({ input, headers, response }, { registerConversion: register, publisher, events }) {
    const mode = modeOf(response);
    const startTime = performance.now();
    const registered = await register(mode, input, headers['idempotency-key']);
    const { id, leadId, traceParent, isRepeated } = registered;
    if (isRepeated) return { status: 201, body: { id, leadId } };
    const attributes = { 'leadback.conversion.id': id, 'leadback.lead.id': leadId };
    const span = linkToLeadTrace(response.req.span, {
      name: 'register conversion',
      startTime,
      traceParent,
      attributes,
    });
    const feedback = registered.feedback.map((one) => ({ ...one, traceParent: traceParentOf(span) }));
    events.conversionRegistered({ id, currency: input.currency, isTest: mode.isTest, feedback }, loggedTrace(span));
    span.end();
    // not awaited: the conversion is committed, and the relay publishes what RabbitMQ does not confirm
    void publishFeedback({ publisher, events }, 'request', feedback);
    return { status: 201, body: { id, leadId } };
  },
});
