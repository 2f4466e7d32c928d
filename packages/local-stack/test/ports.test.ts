import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { assertPortFree, freePort } from '../src/index.ts';

describe('port', () => {
  it('that is taken is an error that names it and the setting by which it is moved', async () => {
    const port = await freePort();
    await using server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    await expect(assertPortFree(port, 'API_PORT')).rejects.toThrow(
      `Port ${port} is taken; set API_PORT to another one`,
    );
  });

  it('that is free stays free after the look', async () => {
    const port = await freePort();
    await assertPortFree(port, 'API_PORT');
    await expect(assertPortFree(port, 'API_PORT')).resolves.toBeUndefined();
  });
});
