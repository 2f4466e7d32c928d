import type { Account } from '@leadback/db';
import { deleteReconciliation, type ListedRow, reconciliationCreator } from '@leadback/core/reconciliation/create';
import { listReconciliations, reconciliationReader, rowsReader } from '@leadback/core/reconciliation/read';
import { reconciliationWorker } from '@leadback/core/reconciliation/work';
import { replayStarter } from '@leadback/core/reconciliation/replay';
import { givenContacts, unique } from '@leadback/testing';
import type { Operation } from './operation.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

async function* list() {
  const sale = { amount: '10', currency: 'USD', clientExternalReference: 'filler client 10' };
  yield Array.from({ length: 100 }, (_, index): ListedRow => {
    const externalReference = index % 10 === 0 ? unique('order') : `filler order ${index * 2}`;
    const amount = index % 10 === 5 ? '11' : sale.amount;
    return { ...sale, amount, externalReference, emailKey: `${index}@filler.example` };
  });
}

/** Sales that are missing; of one client in two, the email is known. */
async function* listByEmail() {
  yield Array.from({ length: 200 }, (_, index): ListedRow => {
    const emailKey = index % 2 === 0 ? `${(index + 2) * 5}@filler.example` : `${unique('nobody')}@filler.example`;
    return { amount: '10', currency: 'USD', externalReference: unique('order'), emailKey };
  });
}

/** Sales of strangers, many of which are replayed at a time. */
async function* longList() {
  yield Array.from({ length: 600 }, (_, index): ListedRow => {
    const clientExternalReference = `nobody ${index}`;
    return { amount: '10', currency: 'USD', externalReference: unique('order'), clientExternalReference };
  });
}

/** Comparing lists with all conversions of an account, and registering what is missing. */
export const reconciliationOperations = (account: Account, filled: number): readonly Operation[] => {
  const mode = { accountId: account.id, isTest: false };

  return [
    {
      name: 'store, compare, replay and delete a list',
      rowsMax: 6_000,
      async run({ pool }) {
        const work = reconciliationWorker(pool, { contacts: givenContacts(), onRegistered: () => {} });
        const read = reconciliationReader(pool);
        const id = await reconciliationCreator(pool, givenContacts())(
          mode,
          { from: day(-400), until: day(-1) },
          list(),
        );
        while ((await work(id))?.isDone === false);
        for (const isDryRun of [true, false]) {
          await replayStarter(pool)(mode, { id, outcomes: ['missing', 'missingWithoutClient'], isDryRun });
          while ((await work(id))?.isDone === false);
        }
        await read(mode, id);
        await read({ accountId: account.id }, id);
        await listReconciliations(pool, account.id, { limit: 50 });
        await deleteReconciliation(pool, id);
      },
    },
    {
      name: 'compare a list that names clients by email',
      rowsMax: 400,
      async run({ pool }) {
        const work = reconciliationWorker(pool, { contacts: givenContacts(), onRegistered: () => {} });
        const id = await reconciliationCreator(pool, givenContacts())(
          mode,
          { from: day(-400), until: day(-399) },
          listByEmail(),
        );
        while ((await work(id))?.isDone === false);
        await deleteReconciliation(pool, id);
      },
    },
    {
      name: 'replay a long list',
      rowsMax: 1_000,
      async run({ pool }) {
        const work = reconciliationWorker(pool, { contacts: givenContacts(), onRegistered: () => {} });
        const range = { from: day(-400), until: day(-399) };
        const id = await reconciliationCreator(pool, givenContacts())(mode, range, longList());
        while ((await work(id))?.isDone === false);
        await replayStarter(pool)(mode, { id, outcomes: ['missingWithoutClient'], isDryRun: false });
        while ((await work(id))?.isDone === false);
        await deleteReconciliation(pool, id);
      },
    },
    {
      name: 'walk many conversions, and take turns',
      rowsMax: 6_000,
      async run({ pool }) {
        const work = reconciliationWorker(pool, { contacts: givenContacts(), onRegistered: () => {} });
        const id = await reconciliationCreator(pool, givenContacts())(mode, { from: day(-400), until: day(1) }, list());
        for (let slices = 0; slices < 3; slices += 1) await work();
        await deleteReconciliation(pool, id);
      },
    },
    {
      name: 'read the rows of a long list',
      rowsMax: 1_000,
      async run({ pool }) {
        const read = rowsReader(pool, givenContacts());
        for (const outcome of [undefined, 'matched', 'extra', 'undelivered'] as const) {
          for (const after of [0, 500]) await read(mode, { id: filled, outcome, after, limit: 200 });
        }
      },
    },
  ];
};
