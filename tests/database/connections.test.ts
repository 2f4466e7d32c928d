import { createServer } from 'node:net';
import {
  type EntityManager,
  isDatabaseUnavailable,
  isQueryTimeout,
  openDatabase,
  openPool,
  transaction,
} from '@leadback/db';
import { eventually, givenDatabase, shared, tcpProxy } from '@leadback/testing';
import { freePort } from '@leadback/testing/stack';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

const inUrl = (url: string) => {
  const own = new URL(url);
  own.searchParams.set('options', '-c search_path=zapatos');
  return own.href;
};

it.each([
  { who: 'an app', role: 'url', hasNoStatementTimeout: false, planning: 'off', locks: '500ms' },
  { who: 'a long command', role: 'url', hasNoStatementTimeout: true, planning: 'on', locks: '15s' },
  { who: 'a command of the owner', role: 'ownerUrl', hasNoStatementTimeout: true, planning: 'on', locks: '5s' },
] as const)(
  '$who uses the schema of its cell, given by PGOPTIONS or the URL, and waits $locks for a lock',
  async ({ role, hasNoStatementTimeout, planning, locks }) => {
    await using database = await givenDatabase();
    const settingsOf = async (url: string) => {
      await using own = await openPool({ url, applicationName: 'cell', hasNoStatementTimeout });
      const { rows } = await own.pool.query(
        `select current_setting('search_path') as schema, current_setting('enable_seqscan') as planning, current_setting('lock_timeout') as locks`,
      );
      return rows;
    };
    expect(await settingsOf(inUrl(database[role]))).toEqual([{ schema: 'zapatos', planning, locks }]);
    vi.stubEnv('PGOPTIONS', '-c search_path=zapatos');
    expect(await settingsOf(database[role])).toEqual([{ schema: 'zapatos', planning, locks }]);
    vi.unstubAllEnvs();
  },
);

const pids = z.array(z.object({ pid: z.number() })).length(1);

describe('connections that PostgreSQL ends', async () => {
  const database = await shared(givenDatabase());

  /** Ends the connection of a transaction from outside. */
  const end = async (tx: EntityManager): Promise<void> => {
    const [row] = pids.parse(await tx.execute('select pg_backend_pid() as pid'));
    await database.pool.query('select pg_terminate_backend($1, 5000)', [row?.pid]);
  };

  it.each([
    ['fails at its next statement', (tx: EntityManager) => tx.execute('select 1')],
    ['fails at its end', async () => {}],
  ])('leave the pool when a transaction of the ORM %s', async (_when, goOn) => {
    // more often than the pool has connections
    for (let count = 0; count < 12; count += 1) {
      const working = database.em().transactional(async (tx) => {
        await end(tx);
        await goOn(tx);
      });
      await expect(working).rejects.toThrow(/not queryable|terminat/);
    }
    await eventually(() => expect(database.pool.totalCount).toBe(database.pool.idleCount));
    expect(await database.em().execute('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('may still be returned by those who hold them', async () => {
    const client = await database.pool.connect();
    const ended = new Promise((resolve) => void client.once('end', resolve));
    client.on('error', () => {});
    const { rows } = await client.query('select pg_backend_pid() as pid');
    await database.pool.query('select pg_terminate_backend($1, 5000)', [pids.parse(rows)[0]?.pid]);
    await ended;
    await eventually(() => expect(database.pool.totalCount).toBe(database.pool.idleCount));
    expect(() => client.release()).not.toThrow();
  });
});

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

/** The error of a query to a database at this port. */
const errorAt = async (port: number): Promise<unknown> => {
  await using database = await openPool({
    url: `postgres://nobody@127.0.0.1:${port}/none`,
    applicationName: 'test',
  });
  return database.pool.query('select 1').catch((error: unknown) => error);
};

describe('an unavailable database', () => {
  it('opens an unavailable database, and reports it as unavailable at the first query', async () => {
    expect(isDatabaseUnavailable(await errorAt(await freePort()))).toBe(true);
  });

  it('reports a database as unavailable if it accepts connections but never responds', async () => {
    const silent = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => {
      silent.listen(port, '127.0.0.1', resolve);
    });
    expect(isDatabaseUnavailable(await errorAt(port))).toBe(true);
    silent.close();
  });

  it('sends a database nothing without TLS if its URL requires TLS', async () => {
    const received: Buffer[] = [];
    const plain = createServer((socket) => {
      socket.on('data', (data) => {
        received.push(data);
        socket.end('N'); // no TLS
      });
    });
    await new Promise<void>((resolve) => {
      plain.listen(0, '127.0.0.1', resolve);
    });
    const { port } = z.object({ port: z.number() }).parse(plain.address());
    await using database = await openPool({
      url: `postgres://nobody:secret@127.0.0.1:${port}/none?sslmode=verify-full`,
      applicationName: 'test',
    });
    await expect(database.pool.query('select 1')).rejects.toThrow('SSL');
    expect(Buffer.concat(received)).toEqual(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    plain.close();
  });
});
