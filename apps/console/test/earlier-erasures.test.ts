import { erasureKeys, encryptSubject } from '@leadback/erasure/ask';
import { erasureTools, performNextErasure } from '@leadback/erasure';
import { givenClient, givenDatabase, secretsKeys } from '@leadback/test-fixtures';
import { describe, expect, it } from 'vitest';
import { moveEarlierErasure } from '../src/erasures/earlier-erasures.ts';

const keys = erasureKeys(secretsKeys);

describe('an erasure that a console of the version before left as a task', () => {
  it('is asked for again, once, and the task names the person no more', async () => {
    await using database = await givenDatabase();
    const { pool } = database;
    const { account } = await givenClient(database.em(), { email: 'canary@example.com' });
    const person = encryptSubject(keys, account.id, { email: 'canary@example.com' }).toString('base64');
    await pool.query(
      `insert into console_task (account_id, started_by, kind, filter, total, cursor)
       values ($1, 'ana@example.com', 'erase', $2, 1, '{}')`,
      [account.id, { by: 'email', person }],
    );
    expect(await moveEarlierErasure(pool, keys)).toBe(true);
    expect(await moveEarlierErasure(pool, keys)).toBe(false);
    expect((await pool.query('select state, filter from console_task')).rows).toEqual([
      { state: 'done', filter: { by: 'email' } },
    ]);
    expect(await performNextErasure(pool, erasureTools(secretsKeys, 30))).toMatchObject({
      askedBy: 'console',
      outcome: 'done',
      isAnyoneErased: true,
    });
    expect((await pool.query('select actor from erasure')).rows).toEqual([{ actor: 'ana@example.com' }]);
  });
});
