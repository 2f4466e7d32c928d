import { requiredText } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { callerOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { conversionReply, conversionView } from './conversion-reply.ts';

export const findConversion = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/conversion',
  subject: 'Conversions',
  summary: 'Find a conversion by your own reference',
  description:
    'As by its id. A test key finds what was registered with test keys, any other key what was registered without.',
  input: z.object({
    externalReference: requiredText(255).meta({
      param: { description: 'The `conversionExternalReference` it was registered with.', example: 'order-8731' },
    }),
  }),
  headers: nothing,
  replies: { 200: conversionReply },
  refusals: {
    404: {
      meaning: 'Your account has no conversion with this reference.',
      message: 'externalReference: no conversion of this account has this reference',
    },
  },
  async handle({ input, response }, { readConversion: read }) {
    const { accountId, isTest } = callerOf(response);
    return { status: 200, body: conversionView(await read(accountId, { ...input, isTest })) };
  },
});
