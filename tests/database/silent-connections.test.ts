import { isDatabaseUnavailable, isQueryTimeout, openDatabase, transaction } from '@leadback/db';
import { givenDatabase, tcpProxy, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const statementMaxMs = 1_500;
// longer than a connection may be silent while a statement waits
const longMs = 2_500;
const pause = () => new Promise((resolve) => setTimeout(resolve, longMs));

describe('connections to a PostgreSQL that says nothing', async () => {
  const server = await shared(givenDatabase());
  const proxy = await shared(tcpProxy(server.url));

  const givenOpen = () => openDatabase({ url: proxy.url, applicationName: 'test', statementMaxMs });

  it('fail their statements, of the ORM and of a transaction as well, and are replaced by others', async () => {
    await using database = await givenOpen();
    const { pool } = database;
    const working = transaction(database.em(), async (em) => {
      await em.execute('select 1');
      proxy.blackHole();
      await em.execute('select 2');
    });
    await expect(working).rejects.toSatisfy(isDatabaseUnavailable);
    await proxy.heal();
    await pool.query('select 3');
    proxy.blackHole();
    const failure: unknown = await pool.query('select 4').catch((error: unknown) => error);
    expect(failure).toSatisfy(isQueryTimeout);
    expect(failure).toSatisfy(isDatabaseUnavailable);
    await proxy.heal();
    expect((await pool.query('select 5 as five')).rows).toEqual([{ five: 5 }]);
    expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  });

  it('stay open while nothing waits for a response, also within a transaction', async () => {
    await using database = await givenOpen();
    const pid = 'select pg_backend_pid() as pid';
    const before = await database.pool.query(pid);
    await pause();
    await transaction(database.em(), async (em) => {
      expect(await em.execute(pid)).toEqual(before.rows);
      await pause();
      expect(await em.execute(pid)).toEqual(before.rows);
    });
  });

  it('give PostgreSQL time to say that it has ended a slow statement', async () => {
    await using database = await givenOpen();
    const client = await database.pool.connect();
    const { rows } = await client.query(`select current_setting('statement_timeout') as own`);
    expect([rows, client.connection.stream]).toMatchObject([[{ own: '1500ms' }], { timeout: 2_000 }]);
    client.release();
  });
});
