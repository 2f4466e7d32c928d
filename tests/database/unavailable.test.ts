import { createServer } from 'node:net';
import { isDatabaseUnavailable, openDatabase } from '@leadback/db';
import { freePort } from '@leadback/local-stack';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

/** What a query is told by a database at this port. */
const refusal = async (port: number): Promise<unknown> => {
  await using database = await openDatabase({
    url: `postgres://nobody@127.0.0.1:${port}/none`,
    applicationName: 'test',
  });
  return database.pool.query('select 1').catch((error: unknown) => error);
};

describe('a database that is away', () => {
  it('is opened all the same, and said to be unavailable when it is asked', async () => {
    expect(isDatabaseUnavailable(await refusal(await freePort()))).toBe(true);
  });

  it('is said to be unavailable when it takes connections and never says a word', async () => {
    const silent = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => {
      silent.listen(port, '127.0.0.1', resolve);
    });
    expect(isDatabaseUnavailable(await refusal(port))).toBe(true);
    silent.close();
  });

  it('is told nothing without TLS where its address asks for that', async () => {
    const ignoreError: Buffer[] = [];
    const plain = createServer((socket) => {
      socket.on('data', (data) => {
        ignoreError.push(data);
        socket.end('N'); // it has none
      });
    });
    await new Promise<void>((resolve) => {
      plain.listen(0, '127.0.0.1', resolve);
    });
    const { port } = z.object({ port: z.number() }).parse(plain.address());
    await using database = await openDatabase({
      url: `postgres://nobody:secret@127.0.0.1:${port}/none?sslmode=verify-full`,
      applicationName: 'test',
    });
    await expect(database.pool.query('select 1')).rejects.toThrow('SSL');
    expect(Buffer.concat(ignoreError)).toEqual(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    plain.close();
  });
});
