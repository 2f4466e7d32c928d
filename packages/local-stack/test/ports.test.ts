import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertPortFree, freePort } from '../src/index.ts';

// so many that processes would pick some of the others' ports by chance: 12 on average
const portsEach = 300;
const picker = join(import.meta.dirname, 'pick-ports.ts');

describe('port', () => {
  it('throws for a port in use, naming the port and the setting that changes it', async () => {
    const port = await freePort();
    await using server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    await expect(assertPortFree(port, 'API_PORT')).rejects.toThrow(
      `port ${port} is in use; set API_PORT to another port`,
    );
  });

  it('picks no port twice, even in several processes, because its app may not have started yet', async () => {
    const others = ['one', 'other'].map(() =>
      spawn(process.execPath, [picker, String(portsEach)], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const listings = await Promise.all(others.map(async ({ stdout }) => String(await once(stdout, 'data'))));
    const ports = listings.flatMap((listing) => listing.trim().split(' ').map(Number));
    while (ports.length < 3 * portsEach) ports.push(await freePort());
    for (const { stdin } of others) stdin.end();
    expect(new Set(ports).size).toBe(3 * portsEach);
  });

  it('leaves a free port free after checking it', async () => {
    const port = await freePort();
    await assertPortFree(port, 'API_PORT');
    await expect(assertPortFree(port, 'API_PORT')).resolves.toBeUndefined();
  });
});
