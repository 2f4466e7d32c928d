import { Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import { previewPayloadInput, previewPayloadReply } from '../contract/payload.ts';
import { scopeOf } from '../sessions/authenticate.ts';

export const previewPayload = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/deliveries/:id/payload',
  subject: 'Deliveries',
  summary: 'What the platform would be told now',
  description: 'With personal data masked. Sends nothing.',
  input: previewPayloadInput,
  headers: nothing,
  replies: { 200: { description: 'The event, or why there is none.', body: previewPayloadReply, example: undefined } },
  async handle({ input, response }, { previewPayload: preview }) {
    const payload = await preview(scopeOf(response), input.id);
    if (!payload) throw new Refusal('not-found', { message: 'there is no such delivery' });
    return { status: 200, body: payload };
  },
});
