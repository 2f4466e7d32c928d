import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { answersOk, type Child, freePort, localUrl } from '@leadback/testing/stack';
import { inject } from 'vitest';
import type { PatroniNode } from './given-node.ts';
import { startServer } from './start-server.ts';

// as the documentation of Patroni shows it
const settingsOf = (port: number, statusPort: number, nodes: readonly PatroniNode[]) => `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 4s
  timeout client 30m
  timeout server 30m
  timeout check 5s
frontend status
  mode http
  bind 127.0.0.1:${statusPort}
  monitor-uri /
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 3s fall 3 rise 2 on-marked-down shutdown-sessions
${nodes.map(({ name, ports }) => `  server ${name} 127.0.0.1:${ports.postgres} check port ${ports.rest}`).join('\n')}
`;

/** An address that leads to the leader. */
export const startHaproxy = async (
  haproxy: string,
  nodes: readonly PatroniNode[],
): Promise<{ readonly url: string; readonly child: Child }> => {
  const dir = await mkdtemp(join(inject('temporaryFolder'), 'haproxy-'));
  const [port, statusPort] = [await freePort(), await freePort()];
  const file = join(dir, 'haproxy.cfg');
  writeFileSync(file, settingsOf(port, statusPort, nodes));
  const child = await startServer({
    name: 'HAProxy',
    command: [haproxy, '-db', '-f', file],
    dir,
    isReady: () => answersOk(`${localUrl(statusPort)}/`),
  });
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, child };
};
