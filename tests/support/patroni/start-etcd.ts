import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { answersOk, type Child, freePort, localUrl } from '@leadback/testing/stack';
import { inject } from 'vitest';
import { startServer } from './start-server.ts';

/** One etcd, which keeps who leads. Returns its address, such as `127.0.0.1:2379`. */
export const startEtcd = async (etcd: string): Promise<{ readonly address: string; readonly child: Child }> => {
  const dir = await mkdtemp(join(inject('temporaryFolder'), 'etcd-'));
  const [client, peer] = [localUrl(await freePort()), localUrl(await freePort())];
  const options = {
    name: 'only',
    'data-dir': join(dir, 'data'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `only=${peer}`,
  };
  const child = await startServer({
    name: 'etcd',
    command: [etcd, ...Object.entries(options).map(([option, value]) => `--${option}=${value}`)],
    dir,
    isReady: () => answersOk(`${client}/health`),
  });
  return { address: new URL(client).host, child };
};
