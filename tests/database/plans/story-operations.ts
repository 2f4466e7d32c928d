import { countPerson } from '@leadback/core/erasure/count-person';
import { erasePerson } from '@leadback/core/erasure/erase-person';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { askErasure } from '@leadback/core/erasure/ask/ask-erasure';
import { confirmErasure, lapseAskedErasures, listAskedErasures } from '@leadback/core/erasure/ask/asked-erasures';
import { readErasure, readReceiptKeys } from '@leadback/core/erasure/ask/receipt';
import { givenContacts, secretsKeys } from '@leadback/testing';
import { type Account, inTransactionRolledBack } from '@leadback/db';
import { readDeliveryToSend } from '@leadback/core/delivery/read-delivery';
import { accountScope } from '@leadback/core/people/access';
import { finder } from '@leadback/core/story/find';
import { storyReader } from '@leadback/core/story/story';
import type { ExplainedDatabase } from '../../support/plans.ts';
import type { Operation } from './operation.ts';

const anyone = { id: 0, role: 'admin' } as const;

/** What the console reads and erases of one person. Fillers have an order, a client and a lead of the same number. */
export const storyOperations = (account: Account): readonly Operation[] => {
  const scopeOn = async ({ pool }: ExplainedDatabase) => {
    const scope = await accountScope(pool, anyone, account.id);
    if (!scope) throw new Error('the account is missing');
    return scope;
  };
  const tools = erasureTools(secretsKeys, 30);
  const person = { accountId: account.id, decidedBy: 'console', email: '20@filler.example' } as const;

  return [
    {
      name: 'find what has a name',
      rowsMax: 50,
      async run(on) {
        const [scope, find] = [await scopeOn(on), finder(on.pool, givenContacts())];
        const names = ['filler order 20', 'filler refund 20', '1020', 'filler client 20', 'filler lead 20', 'nothing'];
        for (const name of [...names, person.email, 'visitor20@filler.example']) await find(scope, name);
      },
    },
    {
      name: 'tell the story of a conversion, of a client and of a lead',
      // a client of the fillers has ten conversions
      rowsMax: 200,
      async run(on) {
        const [scope, read] = [await scopeOn(on), storyReader(on.pool, givenContacts())];
        for (const name of [{ conversion: 1_015 }, { client: 1_020 }, { lead: 1_020 }]) await read(scope, name);
      },
    },
    {
      name: 'read what would be sent of a delivery',
      rowsMax: 110,
      run: (on) => readDeliveryToSend(on.pool, { accountId: account.id, id: 1_002 }, givenContacts()),
    },
    {
      name: 'count and erase a person',
      // of lists the rows of each
      readsAllOf: ['reconciliation', 'reconciliation_row'],
      rowsMax: 1_000_000,
      async run(on) {
        const asked = { id: 'E'.repeat(22), hasWaitedForImports: false };
        await countPerson(on.pool, person, tools.contacts);
        await inTransactionRolledBack(on.pool, (client) => erasePerson(client, person, asked, tools.contacts));
        const ofLead = { accountId: account.id, decidedBy: 'console', leadReference: 'filler lead 20' } as const;
        await inTransactionRolledBack(on.pool, (client) => erasePerson(client, ofLead, asked, tools.contacts));
        await inTransactionRolledBack(on.pool, (client) =>
          erasePerson(client, { ...person, isTest: true }, asked, tools.contacts),
        );
      },
    },
    {
      name: 'ask for an erasure and perform it',
      readsAllOf: ['reconciliation', 'reconciliation_row'],
      rowsMax: 1_000_000,
      async run({ pool }) {
        const asked = { accountId: account.id, askedBy: 'partner', actor: 'key 1' } as const;
        const id = await askErasure(pool, tools.keys, {
          ...asked,
          subject: { externalReference: 'filler client 5000' },
        });
        await performNextErasure(pool, tools);
        await readErasure(pool, id);
        const visitor = { accountId: account.id, askedBy: 'visitor', actor: 'visitor' } as const;
        const subject = { leadReference: 'filler lead 30' };
        const first = await askErasure(pool, tools.keys, { ...visitor, subject: { ...subject, proof: 'none' } });
        await performNextErasure(pool, tools);
        await askErasure(pool, tools.keys, { ...visitor, subject: { leadReference: 'filler lead 40' } });
        await performNextErasure(pool, tools);
        const [waiting] = await listAskedErasures(pool, tools.keys, account.id, 100);
        // after the first run, the lead is erased
        await confirmErasure(pool, { accountId: account.id, id: waiting?.id ?? first, by: 'partner', actor: 'key 1' });
        await performNextErasure(pool, tools);
        await lapseAskedErasures(pool);
        await readReceiptKeys(pool);
      },
    },
  ];
};
