import { countPerson, allowPerson as allow } from '@leadback/core/erasure/erase-person';
import { askErasure, confirmErasure as confirm, listAskedErasures } from '@leadback/core/erasure/ask/ask-erasure';
import {
  listErasureReceipts,
  type ListedReceipt,
  listStartedErasures,
  readStartedErasure,
} from '@leadback/core/erasure/list-erasures';
import { pageUrl } from '@leadback/core/pages/pages';
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
  type Receipt,
  startErasureReply,
} from '../contract/erasures.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';

const askedMax = 100;

const dated = <Erasure extends { readonly requestedAt: Date }>({ requestedAt, ...same }: Erasure) => ({
  ...same,
  requestedAt: requestedAt.toISOString(),
});

const describedReceipt = ({ finishedAt, erased, ...same }: ListedReceipt, landingUrl: string): Receipt => ({
  ...same,
  ...erased,
  at: finishedAt,
  url: pageUrl(landingUrl, `data/receipt/${same.id}`),
});

const whomOf = ({ email, reference }: z.output<typeof personToErase>) => ({ email, externalReference: reference });

export const countErasure = endpoint({
  method: 'post',
  path: '/accounts/:account/erasures/count',
  input: personToErase,
  replies: { 200: { body: countErasureReply } },
  async handle({ input, response }, { pool, contacts, management }) {
    const scope = scopeOf(response);
    await management.noteCount(scope, sessionOf(response).person.email);
    const whom = { accountId: scope.accountId, decidedBy: 'console', ...whomOf(input) } as const;
    return { status: 200, body: await countPerson(pool, contacts, whom) };
  },
});

export const startErasure = endpoint({
  method: 'post',
  path: '/accounts/:account/erasures',
  input: personToErase,
  replies: { 202: { body: startErasureReply } },
  async handle({ input, response }, { pool, erasureKeys }) {
    const { email: actor } = sessionOf(response).person;
    const { accountId } = scopeOf(response);
    const id = await askErasure(pool, erasureKeys, { accountId, askedBy: 'console', actor, subject: whomOf(input) });
    return { status: 202, body: dated(await readStartedErasure(pool, accountId, id)) };
  },
});

export const listErasures = endpoint({
  method: 'get',
  path: '/accounts/:account/erasures',
  input: listErasuresInput,
  replies: { 200: { body: listErasuresReply } },
  async handle({ response }, { pool, erasureKeys, landingUrl }) {
    const { accountId } = scopeOf(response);
    const [started, asked, receipts] = await Promise.all([
      listStartedErasures(pool, accountId),
      listAskedErasures(pool, erasureKeys, accountId, askedMax),
      listErasureReceipts(pool, accountId),
    ]);
    return {
      status: 200,
      body: {
        started: started.map(dated),
        asked: asked.map((one) => ({ ...dated(one), until: one.until.toISOString() })),
        receipts: receipts.map((one) => describedReceipt(one, landingUrl)),
      },
    };
  },
});

export const confirmErasure = endpoint({
  method: 'post',
  path: '/accounts/:account/erasures/:id/confirmation',
  input: ofErasureInput,
  body: 'none',
  replies: { 202: { body: confirmErasureReply } },
  async handle({ input: { id }, response }, { pool }) {
    const { email: actor } = sessionOf(response).person;
    const { accountId } = scopeOf(response);
    if (!(await confirm(pool, { accountId, id, by: 'console', actor }))) {
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
  async handle({ input: { id }, response }, { pool, contacts }) {
    const { email: actor } = sessionOf(response).person;
    await allow(pool, contacts, { accountId: scopeOf(response).accountId, actor, erasureId: id });
    return { status: 200, body: { id } };
  },
});
