import { endpoint, tellInRequestLog } from '@leadback/http';
import { conversionSchema } from '@leadback/intake';
import { loggedTrace } from '@leadback/tracing';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { linkToLeadTrace } from '../link-to-lead-trace.ts';
import { idempotencyHeaders, idempotencyRefusals } from './idempotency-headers.ts';
import { conversionWarnings, referenceWarnings, warnings } from './test-warnings.ts';

// keeps the example within the accepted range
const yesterday = new Date(Date.now() - 86_400_000).toISOString();

export const registerConversion = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/conversion',
  subject: 'Conversions',
  summary: 'Register a conversion',
  description:
    'Registers a conversion of a client and reports it to the platforms of your account. Identify the client by `clientExternalReference`, `email` or both. Send `conversionExternalReference` or an `Idempotency-Key`, so that you can retry safely if a response is lost.',
  input: conversionSchema,
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
        warnings,
      }),
      example: { id: 31, leadId: 12 },
    },
  },
  refusals: [...idempotencyRefusals, 'client-unknown', 'conversion-repeated'],
  async handle({ input, headers, response }, { registerConversion: register, readMatchFacts, events }) {
    const startTime = performance.now();
    const mode = modeOf(response);
    const idempotencyKey = headers['idempotency-key'];
    const { id, leadId, traceParent, isRepeated } = await register(mode, input, idempotencyKey);
    if (!isRepeated) {
      const attributes = { 'leadback.conversion.id': id, 'leadback.lead.id': leadId };
      const done = { name: 'register conversion', startTime, traceParent, attributes };
      const span = linkToLeadTrace(response.req.span, done);
      const { trace_id: leadTraceId } = loggedTrace(span);
      tellInRequestLog(response, { conversionId: id, isTest: mode.isTest, lead_trace_id: leadTraceId });
      events.conversionRegistered({ currency: input.currency, isTest: mode.isTest });
      span.end();
    }
    const facts = mode.isTest ? await readMatchFacts(mode, { conversionId: id }) : undefined;
    const isRetrySafe = input.conversionExternalReference !== undefined || idempotencyKey !== undefined;
    const { clientExternalReference, conversionExternalReference } = input;
    const ofReferences = referenceWarnings({ clientExternalReference, conversionExternalReference });
    const told = facts && { warnings: [...conversionWarnings(facts, isRetrySafe), ...ofReferences] };
    return { status: 201, body: { id, leadId, ...told } };
  },
});
