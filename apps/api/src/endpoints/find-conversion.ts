import { Refusal, requiredText } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { conversionReply, conversionView } from './conversion-reply.ts';

export const findConversion = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/conversion',
  subject: 'Conversions',
  summary: 'Find a conversion by your own reference',
  description: 'Returns the same as reading it by its id.',
  input: z.object({
    externalReference: requiredText(255).meta({
      param: { description: 'The `conversionExternalReference` of the conversion.', example: 'order-8731' },
    }),
  }),
  headers: nothing,
  replies: { 200: conversionReply },
  refusals: ['conversion-unknown.reference'],
  async handle({ input, response }, { readConversion: read }) {
    const found = await read(modeOf(response), input);
    if (!found) throw new Refusal('conversion-unknown.reference');
    return { status: 200, body: conversionView(found) };
  },
});
