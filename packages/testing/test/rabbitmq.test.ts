import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalBroker, startRabbitmq } from '../src/stack/index.ts';
import { commandLine } from '../src/stack/processes/processes.ts';
import { anotherStarter } from './another-starter.ts';
import { temporaryFolder } from './temporary-folder.ts';

const queue = {
  name: 'orders',
  vhost: 'shop/1',
  durable: true,
  auto_delete: false,
  arguments: { 'x-queue-type': 'quorum' },
};

const epmdPid = async (dir: string) => Number.parseInt(await readFile(join(dir, 'epmd.pid'), 'utf8'), 10);

describe('RabbitMQ', () => {
  const ending = new AsyncDisposableStack();
  let dir: string;
  let left: readonly number[];
  let leftRunning: readonly string[];
  let broker: LocalBroker;
  // one node for both: each start takes three seconds of a processor
  beforeAll(async () => {
    dir = ending.use(await temporaryFolder()).path;
    const starter = await anotherStarter('rabbitmq', dir);
    left = [starter.startedPid, await epmdPid(dir)];
    await starter.kill();
    leftRunning = left.map(commandLine);
    broker = ending.use(await startRabbitmq({ dir }));
  });
  afterAll(() => ending.disposeAsync());

  it('RabbitMQ and epmd that a killed starter left running are ended by the next start', async () => {
    expect(leftRunning).not.toContain('');
    expect(left.map(commandLine)).toEqual(['', '']);
    expect(await broker.ctl('list_vhosts', '--no-table-headers')).toBe('leadback\n');
  });

  it('RabbitMQ keeps virtual hosts and durable queues over a kill -9 and leaves no process behind', async () => {
    expect(await broker.addVirtualHost('shop/1')).toBe(broker.url.replace('/leadback', '/shop%2F1'));
    const definitions = join(dir, 'orders.json');
    await writeFile(definitions, JSON.stringify({ queues: [queue] }));
    await broker.ctl('import_definitions', definitions);

    const killed = broker.pid;
    expect(await broker.ctl('eval', 'os:getpid().')).toBe(`"${killed}"\n`);
    await broker.kill();
    expect(commandLine(killed)).toBe('');
    await broker.start();
    expect(await broker.ctl('list_queues', '--vhost', 'shop/1', '--no-table-headers', 'name', 'type')).toContain(
      'orders\tquorum\n',
    );

    const epmd = await epmdPid(dir);
    expect(commandLine(epmd)).toContain('epmd');
    await broker.stop();
    expect([commandLine(broker.pid), commandLine(epmd)]).toEqual(['', '']);
  });
});
