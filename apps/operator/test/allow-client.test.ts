import { givenAccount, givenErased, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenOperator } from './given-operator.ts';

describe('client allow', async () => {
  const operator = await shared(givenOperator());

  it.each([
    ['--email', 'Ana@x.example'],
    ['--phone', '+541123456789'],
    ['--erasure', 'E'.repeat(22)],
  ])(
    'lets an account register an erased person again by %s, once, with an entry in the audit log',
    async (by, name) => {
      const { database } = operator;
      const account = await givenAccount(database.em());
      await givenErased(database, account, { emails: ['ana@x.example'], phoneNumbers: ['+541123456789'] });
      const run = () => operator.json(['client', 'allow', '--account', `${account.id}`, by, name]);
      expect(await run()).toEqual([{ account: account.id, erasure: 'E'.repeat(22) }]);
      const { rows } = await database.pool.query(
        `select (select count(*)::int from erased_key where account_id = $1 and allowed_at is null) as suppressed,
              (select array_agg(target) from audit_entry where account_id = $1 and action = 'client.allow') as entries`,
        [account.id],
      );
      expect(rows).toEqual([{ suppressed: 0, entries: [`erasure ${'E'.repeat(22)}`] }]);
      await expect(run()).rejects.toThrow('suppresses nobody');
    },
  );

  it('needs exactly one name', async () => {
    await expect(operator.json('client allow --account 1')).rejects.toThrow('give one of');
  });
});
