import { Account, afterCommit, preparedStatement, rolledBack, transaction } from '@leadback/db';
import { audit } from '@leadback/core/audit';
import { givenAccount, givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const transactionId = preparedStatement<{ id: number; at: Date }>(
  'read-transaction-id',
  'select pg_current_xact_id()::text::bigint as id, now() as at',
);

describe('transaction', async () => {
  const database = await shared(givenDatabase());

  const nameOf = async (id: number) => (await database.em().findOneOrFail(Account, { id })).name;

  it('runs statements of an entity manager in its transaction, with the types of all others', async () => {
    await transaction(database.em(), async (tx) => {
      const [first] = await transactionId(tx, []);
      const [second] = await transactionId(tx, []);
      expect(first).toEqual({ id: expect.any(Number), at: expect.any(Date) });
      expect(second).toEqual(first);
    });
  });

  it('runs statements of an entity manager without a transaction on its pool', async () => {
    const em = database.em();
    const [first] = await transactionId(em, []);
    const [second] = await transactionId(em, []);
    expect(second?.id).toBeGreaterThan(first?.id ?? 0);
  });

  it('saves what was changed in an entity manager together with statements, or nothing of both', async () => {
    const { id, name } = await givenAccount(database.em());
    const renamed = (failure?: Error) =>
      transaction(database.em(), async (tx) => {
        const account = await tx.findOneOrFail(Account, { id });
        account.name = `${name} renamed`;
        await audit(tx, { actor: 'somebody', action: 'account.change', accountId: account.id, target: 'account' });
        if (failure) throw failure;
      });
    const entries = async () =>
      (await database.asOwner('select count(*)::int as entries from audit_entry where account_id = $1', [id])).rows;

    await expect(renamed(new Error('changed my mind'))).rejects.toThrow('changed my mind');
    expect(await nameOf(id)).toBe(name);
    expect(await entries()).toEqual([{ entries: 0 }]);

    await renamed();
    expect(await nameOf(id)).toBe(`${name} renamed`);
    expect(await entries()).toEqual([{ entries: 1 }]);
  });

  it('saves nothing later of what a failed transaction changed', async () => {
    const em = database.em();
    const { id, name } = await givenAccount(database.em());
    const failed = transaction(em, async (tx) => {
      (await tx.findOneOrFail(Account, { id })).name = 'lost';
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await transaction(em, async () => {});
    expect(await nameOf(id)).toBe(name);
  });

  it('inside another transaction is a part of it', async () => {
    await transaction(database.em(), async (tx) => {
      const [outer] = await transactionId(tx, []);
      expect(await transaction(tx, (on) => transactionId(on, []))).toEqual([outer]);
    });
    await transaction(database.pool, async (tx) => {
      const [outer] = await transactionId(tx, []);
      expect(await transaction(tx, (on) => transactionId(on, []))).toEqual([outer]);
    });
  });

  it('calls effects after the commit of the outermost one, and never after a failure', async () => {
    const calls: string[] = [];
    for (const on of [database.pool, database.em()]) {
      const done = (tx: Parameters<typeof afterCommit>[0], effect: string) => afterCommit(tx, () => calls.push(effect));
      const work = async (tx: Parameters<typeof done>[0]) => {
        done(tx, 'effect');
        calls.push('end of work');
      };
      await ('fork' in on
        ? transaction(on, (tx) => transaction(tx, work))
        : transaction(on, (tx) => transaction(tx, work)));
      done(on, 'without transaction');
    }
    const each = ['end of work', 'effect', 'without transaction'];
    expect(calls).toEqual([...each, ...each]);

    await rolledBack(database.pool, async (tx) => afterCommit(tx, () => calls.push('rolled back')));
    const failed = transaction(database.pool, async (tx) => {
      afterCommit(tx, () => calls.push('failed'));
      await tx.query('select 1 / 0');
    });
    await expect(failed).rejects.toThrow('division by zero');
    expect(calls).toHaveLength(6);
  });

  it('fails, and calls no effect, if its work has ignored the failure of a statement', async () => {
    const calls: string[] = [];
    const ignored = transaction(database.pool, async (tx) => {
      afterCommit(tx, () => calls.push('effect'));
      await tx.query('select 1 / 0').catch(() => {});
    });
    await expect(ignored).rejects.toThrow('a failed statement of the transaction was ignored');
    expect(calls).toEqual([]);
  });

  it('keeps its connection when the work is refused, and ends it when a statement fails', async () => {
    const pid = (fail: string) =>
      transaction(database.pool, async (tx) => {
        const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        pids.push(rows[0]?.pid);
        if (fail === 'statement') await tx.query('select 1 / 0');
        throw new Error('refused');
      }).catch(() => {});
    const pids: (number | undefined)[] = [];
    for (const fail of ['work', 'work', 'statement', 'work']) await pid(fail);
    expect(pids[1]).toBe(pids[0]);
    expect(pids[2]).toBe(pids[0]);
    expect(pids[3]).not.toBe(pids[0]);
  });
});
