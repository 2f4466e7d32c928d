import { givenAccount, givenClient, openPatientPool } from '@leadback/testing';
import { expect, it } from 'vitest';
import { countErasureReply } from '../src/contract/erasures.ts';
import { givenConsole } from './given-console.ts';

it('counts imported rows later if they cannot be counted in time', async () => {
  await using console = await givenConsole({ hasLimits: true });
  const person = await console.person();
  const account = await givenAccount(console.database.em());
  await givenClient(console.database.em(), { account, email: 'eva@example.com' });
  await using owner = await openPatientPool({ url: console.database.ownerUrl, applicationName: 'test' });
  const locking = await owner.pool.connect();
  await locking.query('begin; lock table import_row in access exclusive mode');
  const { body } = await person.post(`/api/accounts/${account.id}/erasures/count`, { email: 'eva@example.com' });
  await locking.query('rollback');
  locking.release();
  expect(countErasureReply.parse(body)).toMatchObject({ liveClients: 1, importedRows: null });
});
