import { erasureStates, Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { erasureId, exampleErasureId } from './erasure-id.ts';

const erasure = z.object({
  id: z.string(),
  state: z.enum(erasureStates).meta({
    description:
      '`asked`: a visitor asked, and you decide, see `GET /client/erasure`. `lapsed`: you did not confirm it in time. `failed`: nothing was erased; ask for it again.',
  }),
  requestedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  receipt: z.string().nullable().meta({
    description:
      'JSON in a text, exactly as it was signed: what was erased and counted, what stays and why, which platforms had been told, and until when backups have it. It has no personal data.',
  }),
  signature: z.string().nullable().meta({ description: 'Of `receipt`: Ed25519, in base64.' }),
  keyId: z.string().nullable().meta({
    description:
      'Which public key verifies it, of `/.well-known/leadback-receipts.json` on the host of your landing pages.',
  }),
});

export const readErasure = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/erasure/:id',
  subject: 'Clients',
  summary: 'Read an erasure and its receipt',
  description:
    'Returns how far an erasure of the account is, also one that somebody else asked for, and its signed receipt.',
  input: z.object({ id: erasureId }),
  headers: nothing,
  replies: {
    200: {
      description: 'The erasure.',
      body: erasure,
      example: {
        id: exampleErasureId,
        state: 'pending',
        requestedAt: '2026-11-23T12:00:00.000Z',
        finishedAt: null,
        receipt: null,
        signature: null,
        keyId: null,
      },
    },
  },
  refusals: ['not-found.erasure'],
  async handle({ input, response }, { readErasure: read }) {
    const { accountId, isTest } = modeOf(response);
    const found = await read(input.id);
    if (found?.accountId !== accountId || found.isTest !== isTest) throw new Refusal('not-found.erasure');
    const { id, state, requestedAt, finishedAt, receipt, signature, keyId } = found;
    const times = { requestedAt: requestedAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null };
    return { status: 200, body: { id, state, ...times, receipt, signature, keyId } };
  },
});
