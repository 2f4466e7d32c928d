import { Refusal } from '@leadback/domain';
import type { z } from 'zod';
import {
  allowPersonReply,
  confirmErasureReply,
  countErasureReply,
  listErasuresInput,
  listErasuresReply,
  ofErasureInput,
  personToErase,
  startErasureReply,
} from '../contract/erasures.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';

const whomOf = ({ email, reference }: z.output<typeof personToErase>) => ({ email, externalReference: reference });

export const countErasure = endpoint({
  method: 'post',
  path: '/accounts/:account/erasures/count',
  input: personToErase,
  replies: { 200: { body: countErasureReply } },
  async handle({ input, response }, { erasures, management }) {
    const scope = scopeOf(response);
    await management.noteCount(scope, sessionOf(response).person.email);
    return { status: 200, body: await erasures.count(scope, whomOf(input)) };
  },
});

export const startErasure = endpoint({
  method: 'post',
  path: '/accounts/:account/erasures',
  input: personToErase,
  replies: { 202: { body: startErasureReply } },
  async handle({ input, response }, { erasures }) {
    const { email } = sessionOf(response).person;
    return { status: 202, body: await erasures.start(scopeOf(response), email, whomOf(input)) };
  },
});

export const listErasures = endpoint({
  method: 'get',
  path: '/accounts/:account/erasures',
  input: listErasuresInput,
  replies: { 200: { body: listErasuresReply } },
  async handle({ response }, { erasures }) {
    const scope = scopeOf(response);
    const [started, asked, receipts] = await Promise.all([
      erasures.listStarted(scope),
      erasures.listAsked(scope),
      erasures.listReceipts(scope),
    ]);
    return { status: 200, body: { started, asked, receipts } };
  },
});

export const confirmErasure = endpoint({
  method: 'post',
  path: '/accounts/:account/erasures/:id/confirmation',
  input: ofErasureInput,
  body: 'none',
  replies: { 202: { body: confirmErasureReply } },
  async handle({ input: { id }, response }, { erasures }) {
    const { email } = sessionOf(response).person;
    if (!(await erasures.confirm(scopeOf(response), email, id))) {
      throw new Refusal('not-found', { message: 'no such erasure waits for this account' });
    }
    return { status: 202, body: { id } };
  },
});

export const allowPerson = endpoint({
  method: 'post',
  path: '/accounts/:account/erasures/:id/allowance',
  input: ofErasureInput,
  body: 'none',
  replies: { 200: { body: allowPersonReply } },
  async handle({ input: { id }, response }, { erasures }) {
    await erasures.allow(scopeOf(response), sessionOf(response).person.email, id);
    return { status: 200, body: { id } };
  },
});
