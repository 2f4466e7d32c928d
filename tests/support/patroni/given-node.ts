import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { answersOk, type Child, freePort, type LocalServer, localUrl, sendSignal } from '@leadback/testing/stack';
import { tcpProxy } from '@leadback/testing';
import { inject } from 'vitest';
import { z } from 'zod';
import type { PatroniPrograms } from './find-patroni.ts';
import { type NodePorts, nodeSettings } from './node-settings.ts';
import { startServer } from './start-server.ts';

const statusSchema = z.object({
  role: z.string(),
  state: z.string(),
  timeline: z.number().optional(),
  /** The standbys of a leader. */
  replication: z.array(z.object({ sync_state: z.string() })).optional(),
});

export interface PatroniNode extends Pick<LocalServer, 'url'> {
  readonly name: string;
  readonly ports: NodePorts;
  /** Through it, other nodes connect to this one. */
  readonly replication: Awaited<ReturnType<typeof tcpProxy>>;
  /** What Patroni says of its PostgreSQL. */
  status(): Promise<z.infer<typeof statusSchema>>;
  /** The log of Patroni and PostgreSQL. */
  log(): string;
  /** Starts Patroni, which starts PostgreSQL, and waits until it runs. */
  start(): Promise<void>;
  /** Kills all processes at once, like a machine that is lost. */
  kill(): void;
  /** Ends both. */
  stop(): Promise<void>;
}

const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
};

interface NodeOptions {
  readonly name: string;
  readonly programs: PatroniPrograms;
  readonly etcd: string;
  readonly isSynchronous: boolean;
}

/** One PostgreSQL that Patroni manages. The first node that starts becomes the leader, and the others its standbys. */
export const givenNode = async ({ name, programs, etcd, isSynchronous }: NodeOptions): Promise<PatroniNode> => {
  const { patroni, binFolder } = programs;
  const dir = await mkdtemp(join(inject('temporaryFolder'), `patroni-${name}-`));
  const postgres = await freePort();
  const url = `postgres://postgres@127.0.0.1:${postgres}/postgres`;
  const replication = await tcpProxy(url);
  const ports = { postgres, replication: Number(new URL(replication.url).port), rest: await freePort() };
  const rest = localUrl(ports.rest);
  const file = join(dir, 'patroni.yml');
  writeFileSync(file, nodeSettings({ name, dir, binFolder, etcd, ports, isSynchronous }));
  let child: Child | undefined;
  const postmaster = () => {
    try {
      return Number(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return 0;
    }
  };

  return {
    name,
    url,
    ports,
    replication,
    status: async () => statusSchema.parse(await (await fetch(`${rest}/patroni`)).json()),
    log: () => readFileSync(join(dir, 'log'), 'utf8'),
    start: async () => {
      child = await startServer({
        name: `Patroni ${name}`,
        command: [patroni, file],
        dir,
        isReady: () => answersOk(`${rest}/health`),
      });
    },
    kill: () => {
      const pid = postmaster();
      for (const one of [child?.pid ?? 0, pid, ...childrenOf(pid)]) if (one > 1) sendSignal(one, 'SIGKILL');
    },
    stop: async () => {
      await child?.end('SIGTERM');
      const pid = postmaster();
      if (pid > 1) sendSignal(pid, 'SIGKILL');
      await replication[Symbol.asyncDispose]();
    },
  };
};
