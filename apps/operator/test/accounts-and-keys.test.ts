import { ApiKey } from '@leadback/db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenOperator, type TestOperator } from './given-operator.ts';

const issued = z.object({ id: z.number(), key: z.string(), prefix: z.string() });
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('the operator', () => {
  let operator: TestOperator;
  beforeAll(async () => {
    operator = await givenOperator();
  });
  afterAll(() => operator[Symbol.asyncDispose]());

  it('lists accounts, suspends one and activates it again', async () => {
    const id = await operator.givenAccountId();
    const statusInList = async () => {
      const accounts = z.array(z.looseObject({ id: z.number() })).parse(await operator.json('account list'));
      return accounts.find((account) => account.id === id)?.['status'];
    };
    expect(await operator.json(`account suspend ${id}`)).toEqual({ id, status: 'suspended' });
    expect(await statusInList()).toBe('suspended');
    expect(await operator.json(`account activate ${id}`)).toEqual({ id, status: 'active' });
    expect(await statusInList()).toBe('active');
  });

  it('lists the keys of an account without the keys themselves, and says which are for tests', async () => {
    const account = await operator.givenAccountId();
    const live = issued.parse(await operator.json(`key issue --account ${account} --name live --expires 2099-01-31`));
    const test = issued.parse(await operator.json(`key issue --account ${account} --name test --test`));
    await operator.json(`key issue --account ${await operator.givenAccountId()} --name other`);
    const listed = await operator.json(`key list --account ${account}`);
    const never = { createdAt: time, revokedAt: null, lastUsedAt: null };
    expect(listed).toEqual([
      {
        id: live.id,
        name: 'live',
        prefix: live.prefix,
        isTest: false,
        ...never,
        expiresAt: '2099-01-31T00:00:00.000Z',
      },
      { id: test.id, name: 'test', prefix: test.prefix, isTest: true, ...never, expiresAt: null },
    ]);
    expect(JSON.stringify(listed)).not.toContain(live.key);
  });

  it('revokes a key once, however often it is told to', async () => {
    const account = await operator.givenAccountId();
    const { id } = issued.parse(await operator.json(`key issue --account ${account} --name backend`));
    const first = await operator.json(`key revoke ${id}`);
    expect(first).toMatchObject({ id, revokedAt: time });
    expect(await operator.json(`key revoke ${id}`)).toEqual(first);
    expect((await operator.database.em().findOneOrFail(ApiKey, id)).revokedAt).not.toBeNull();
  });

  it.each([
    ['account suspend 999999', 'there is no account 999999'],
    ['key revoke 999999', 'there is no key 999999'],
    ['key revoke x', 'ID: expected a whole number, 1 or more'],
    ['key issue --account 1 --name x --expires 2020-01-31', '--expires: has passed'],
    ['key issue --account 1 --name x --expires soon', '--expires: expected a date such as 2027-01-31'],
    ['account create --name x --rate-limit 0', '--rate-limit: expected a whole number from 1 to 1000000'],
  ])('says what to mend of "%s"', async (line, message) => {
    const { status, out, err } = await operator.type(line);
    expect(err).toContain(message);
    expect([status, out]).toEqual([1, '']);
  });
});
