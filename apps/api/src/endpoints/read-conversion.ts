import { Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { conversionReply, conversionView } from './conversion-reply.ts';
import { recordId } from './record-id.ts';

export const readConversion = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/conversion/:id',
  subject: 'Conversions',
  summary: 'Read a conversion',
  description: 'Returns a conversion and its delivery to each platform of your account.',
  input: z.object({ id: recordId }),
  headers: nothing,
  replies: { 200: conversionReply },
  refusals: ['conversion-unknown'],
  async handle({ input, response }, { readConversion: read }) {
    const found = await read(modeOf(response), input);
    if (!found) throw new Refusal('conversion-unknown');
    return { status: 200, body: conversionView(found) };
  },
});
