import { Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import type { z } from 'zod';
import type { ConsoleContext } from '../context.ts';
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

const subject = 'Erasure';

const whomOf = ({ email, reference }: z.output<typeof personToErase>) => ({ email, externalReference: reference });

export const countErasure = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/erasures/count',
  subject,
  summary: 'Count what an erasure would erase',
  description: 'Changes nothing.',
  input: personToErase,
  headers: nothing,
  replies: { 200: { description: 'The counts.', body: countErasureReply, example: undefined } },
  async handle({ input, response }, { erasures, management }) {
    const scope = scopeOf(response);
    await management.noteCount(scope, sessionOf(response).person.email);
    return { status: 200, body: await erasures.count(scope, whomOf(input)) };
  },
});

export const startErasure = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/erasures',
  subject,
  summary: 'Erase the personal data of a person',
  description: 'The api performs it: it goes on without the browser. It cannot be undone.',
  input: personToErase,
  headers: nothing,
  replies: { 202: { description: 'The erasure.', body: startErasureReply, example: undefined } },
  async handle({ input, response }, { erasures }) {
    const { email } = sessionOf(response).person;
    return { status: 202, body: await erasures.start(scopeOf(response), email, whomOf(input)) };
  },
});

export const listErasures = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/erasures',
  subject,
  summary: 'Erasures of an account',
  description: 'With their receipts.',
  input: listErasuresInput,
  headers: nothing,
  replies: { 200: { description: 'The erasures.', body: listErasuresReply, example: undefined } },
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

export const confirmErasure = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/erasures/:id/confirmation',
  subject,
  summary: 'Confirm an erasure that a visitor asked for',
  description: 'Erases the lead and all its clients. It cannot be undone.',
  input: ofErasureInput,
  body: 'none',
  headers: nothing,
  replies: { 202: { description: 'It will be performed.', body: confirmErasureReply, example: undefined } },
  async handle({ input: { id }, response }, { erasures }) {
    const { email } = sessionOf(response).person;
    if (!(await erasures.confirm(scopeOf(response), email, id))) {
      throw new Refusal('not-found', { message: 'no such erasure waits for this account' });
    }
    return { status: 202, body: { id } };
  },
});

export const allowPerson = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/erasures/:id/allowance',
  subject,
  summary: 'Allow an erased person again',
  description:
    'The account may register the person again. Nothing that was erased comes back. Again, it changes nothing.',
  input: ofErasureInput,
  body: 'none',
  headers: nothing,
  replies: { 200: { description: 'It may.', body: allowPersonReply, example: undefined } },
  async handle({ input: { id }, response }, { erasures }) {
    await erasures.allow(scopeOf(response), sessionOf(response).person.email, id);
    return { status: 200, body: { id } };
  },
});
