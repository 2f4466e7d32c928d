import { endpoint, tellInRequestLog } from '@leadback/server/http';
import { adjustmentSchema } from '@leadback/core/conversions/adjust';
import { loggedTrace } from '@leadback/server/trace';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { linkToLeadTrace } from '../link-to-lead-trace.ts';
import { idempotencyHeaders, idempotencyRefusals } from './parameters.ts';

export const adjustConversion = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/conversion/adjustment',
  subject: 'Conversions',
  summary: 'Adjust a conversion',
  description:
    'Changes the total of a conversion, or takes the conversion back, and tells the platforms that can be told. Name the conversion by `conversionId` or `conversionExternalReference`. Send `adjustmentExternalReference` or an `Idempotency-Key`, so that you can retry safely if a response is lost. A conversion that is retracted takes no more adjustments.',
  input: adjustmentSchema,
  examples: {
    'A part was returned': {
      conversionExternalReference: 'order-8731',
      kind: 'restate',
      amount: 99.9,
      adjustmentExternalReference: 'credit-note-311',
    },
    'The order was cancelled': { conversionExternalReference: 'order-8730', kind: 'retract' },
  },
  headers: idempotencyHeaders,
  replies: {
    201: {
      description: 'The adjustment is registered.',
      body: z.object({
        id: z.int().meta({ description: 'The id of the adjustment.' }),
        conversionId: z.int().meta({ description: 'The id of the conversion.' }),
      }),
      example: { id: 5, conversionId: 31 },
    },
  },
  refusals: [...idempotencyRefusals, 'conversion-unknown.adjusted', 'adjustment-repeated'],
  async handle({ input, headers, response }, { adjustConversion: adjust, accepted, events }) {
    const startTime = performance.now();
    const mode = modeOf(response);
    const { id, conversionId, traceParent, isRepeated } = await adjust(mode, input, headers['idempotency-key']);
    accepted.note('adjustment', mode, id);
    if (!isRepeated) {
      const attributes = { 'leadback.conversion.id': conversionId, 'leadback.adjustment.id': id };
      const done = { name: 'adjust conversion', startTime, traceParent, attributes };
      const span = linkToLeadTrace(response.req.span, done);
      const { trace_id: leadTraceId } = loggedTrace(span);
      tellInRequestLog(response, { conversionId, adjustmentId: id, isTest: mode.isTest, lead_trace_id: leadTraceId });
      events.conversionAdjusted(input.kind, mode);
      span.end();
    }
    return { status: 201, body: { id, conversionId } };
  },
});
