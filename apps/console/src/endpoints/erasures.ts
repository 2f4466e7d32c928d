import { audit } from '@leadback/core/audit';
import { allowPerson, countPerson } from '@leadback/core/erasure/erase-person';
import { askErasure, confirmErasure, erasureKeys, listAskedErasures } from '@leadback/core/erasure/ask/ask-erasure';
import {
  listErasureReceipts,
  type ListedReceipt,
  listStartedErasures,
  readStartedErasure,
} from '@leadback/core/erasure/list-erasures';
import { pageUrl } from '@leadback/core/pages/pages';
import { Refusal } from '@leadback/domain';
import { nothing } from '@leadback/server/http';
import type { z } from 'zod';
import {
  changedErasureReply,
  countErasureReply,
  listErasuresReply,
  ofErasure,
  personToErase,
  type Receipt,
  startErasureReply,
} from '../contract/erasures.ts';
import { ofAccount } from './guard.ts';

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

export const erasureEndpoints = [
  ofAccount('erase', 'reads', {
    method: 'post',
    path: '/accounts/:account/erasures/count',
    changes: false,
    input: personToErase,
    reply: countErasureReply,
    async handle({ input, scope: { accountId }, actor }, { em, pool, contacts }) {
      // whose data it counts is in no entry
      await audit(em(), { actor, action: 'client.count', accountId, target: `account ${accountId}` });
      return countPerson(pool, contacts, { accountId, decidedBy: 'console', ...whomOf(input) });
    },
  }),

  // an api performs it
  ofAccount('erase', 'fresh', {
    method: 'post',
    path: '/accounts/:account/erasures',
    input: personToErase,
    reply: startErasureReply,
    status: 202,
    async handle({ input, scope: { accountId }, actor }, { pool, secretsKeys }) {
      const wanted = { accountId, askedBy: 'console', actor, subject: whomOf(input) } as const;
      const id = await askErasure(pool, erasureKeys(secretsKeys), wanted);
      return dated(await readStartedErasure(pool, accountId, id));
    },
  }),

  // an api performs it
  ofAccount('erase', 'fresh', {
    method: 'post',
    path: '/accounts/:account/erasures/:id/confirmation',
    body: 'none',
    input: ofErasure,
    reply: changedErasureReply,
    status: 202,
    async handle({ input: { id }, scope: { accountId }, actor }, { pool }) {
      if (!(await confirmErasure(pool, { accountId, id, by: 'console', actor }))) {
        throw new Refusal('not-found', { message: 'no such erasure waits for this account' });
      }
      return { id };
    },
  }),

  ofAccount('erase', 'fresh', {
    method: 'post',
    path: '/accounts/:account/erasures/:id/allowance',
    body: 'none',
    input: ofErasure,
    reply: changedErasureReply,
    async handle({ input: { id }, scope: { accountId }, actor }, { pool, contacts }) {
      await allowPerson(pool, contacts, { accountId, actor, erasureId: id });
      return { id };
    },
  }),

  ofAccount('erase', 'reads', {
    method: 'get',
    path: '/accounts/:account/erasures',
    input: nothing,
    reply: listErasuresReply,
    async handle({ scope: { accountId } }, { pool, secretsKeys, landingUrl }) {
      const [started, asked, receipts] = await Promise.all([
        listStartedErasures(pool, accountId),
        listAskedErasures(pool, erasureKeys(secretsKeys), accountId, askedMax),
        listErasureReceipts(pool, accountId),
      ]);
      return {
        started: started.map(dated),
        asked: asked.map((one) => ({ ...dated(one), until: one.until.toISOString() })),
        receipts: receipts.map((one) => describedReceipt(one, landingUrl)),
      };
    },
  }),
];
