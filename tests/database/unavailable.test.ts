import { createServer } from 'node:net';
import { isDatabaseUnavailable, openPool } from '@leadback/db';
import { freePort } from '@leadback/testing/stack';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

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
