import { Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { recordId } from './record-id.ts';

const client = z.object({
  id: z.int(),
  leadId: z.int(),
  leadReference: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  externalReference: z.string().nullable(),
  createdAt: z.iso.datetime(),
});

export const readClient = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/:id',
  subject: 'Clients',
  summary: 'Read a client',
  description: 'Returns a client as registered. Fields that were not sent are `null`.',
  input: z.object({ id: recordId }),
  headers: nothing,
  replies: {
    200: {
      description: 'The client.',
      body: client,
      example: {
        id: 7,
        leadId: 12,
        leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs',
        name: 'Ana García',
        email: 'ana@example.com',
        phoneNumber: '+54 11 2345-6789',
        externalReference: 'customer-1042',
        createdAt: '2026-11-21T12:00:00.000Z',
      },
    },
  },
  refusals: ['client-unknown.id'],
  async handle({ input, response }, { readClient: read }) {
    const found = await read(modeOf(response), input.id);
    if (!found) throw new Refusal('client-unknown.id');
    return { status: 200, body: { ...found, createdAt: found.createdAt.toISOString() } };
  },
});
