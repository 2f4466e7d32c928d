import { Refusal } from '@leadback/domain';
import { previewPayloadInput, previewPayloadReply } from '../contract/payload.ts';
import { scopeOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';

export const previewPayload = endpoint({
  method: 'get',
  path: '/accounts/:account/deliveries/:id/payload',
  input: previewPayloadInput,
  replies: { 200: { body: previewPayloadReply } },
  async handle({ input, response }, { previewPayload: preview }) {
    const payload = await preview(scopeOf(response), input.id);
    if (!payload) throw new Refusal('not-found', { message: 'there is no such delivery' });
    return { status: 200, body: payload };
  },
});
