import { endpoint } from '@leadback/http';
import { erasureSchema } from '@leadback/intake';
import { z } from 'zod';
import { callerOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { exampleErasureId } from './erasure-id.ts';
import { idempotencyHeaders, idempotencyRefusals } from './idempotency-headers.ts';

export const eraseClient = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/erasure',
  subject: 'Clients',
  summary: 'Erase a person',
  description:
    'Erases the personal data of a person for good, within seconds: of clients, their leads, imported rows and reconciled lists. Conversions stay as amounts. Name the person by exactly one field. A live key erases live and test data; a test key erases test clients alone. Whether anybody was found, `GET /client/erasure/{id}` says.',
  input: erasureSchema,
  examples: {
    'By your own identifier': { clientExternalReference: 'customer-1042' },
    'By email': { email: 'ana@example.com' },
    'By lead reference': { leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs' },
  },
  headers: idempotencyHeaders,
  replies: {
    202: {
      description: 'The erasure is stored and will be performed.',
      body: z.object({ id: z.string().meta({ description: 'The id of the erasure.' }) }),
      example: { id: exampleErasureId },
    },
  },
  refusals: [...idempotencyRefusals, 'rate-limited.erasures'],
  async handle({ input, headers, response }, { askErasure }) {
    const id = await askErasure(callerOf(response), input, headers['idempotency-key']);
    return { status: 202, body: { id } };
  },
});
