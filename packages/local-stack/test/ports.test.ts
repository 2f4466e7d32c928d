import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { assertPortFree, freePort } from '../src/index.ts';

describe('port', () => {
  it('throws for a port in use, naming the port and the setting that changes it', async () => {
    const port = await freePort();
    await using server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    await expect(assertPortFree(port, 'API_PORT')).rejects.toThrow(
      `port ${port} is in use; set API_PORT to another port`,
    );
  });

  it('picks no port twice, because its app may not have started yet', async () => {
    const ports = [];
    while (ports.length < 300) ports.push(await freePort());
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('leaves a free port free after checking it', async () => {
    const port = await freePort();
    await assertPortFree(port, 'API_PORT');
    await expect(assertPortFree(port, 'API_PORT')).resolves.toBeUndefined();
  });
});
