import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, givenBroker, givenLandingPage } from '@leadback/testing';
import { runCommand } from '@leadback/testing/stack';
import { inject, expect, it } from 'vitest';
import { z } from 'zod';
import { clicksOn } from '../../support/clicks.ts';
import { flowsAgain } from '../../support/deliveries.ts';
import { violationsAfter } from '../../support/facts.ts';
import { givenPostgres } from '../../support/given-postgres.ts';
import { givenStack } from '../../support/given-stack.ts';
import { givenLedger, type Ledger } from '../../support/ledger.ts';
import { sumIn } from '../../support/metrics.ts';

export interface SmallDisk extends AsyncDisposable {
  /** On a file system of its own. */
  readonly folder: string;
  /** Takes all free space but this. */
  fill(leftMb?: number): Promise<void>;
  /** Gives back what `fill` took. */
  free(): Promise<void>;
}

interface Mounted {
  readonly folder: string;
  readonly unmount: () => Promise<unknown>;
}

const mb = 1024 * 1024;

const mountAsRoot = async (folder: string, size: string): Promise<Mounted> => {
  await runCommand(['mount', '-t', 'tmpfs', '-o', size, 'tmpfs', folder]);
  return { folder, unmount: () => runCommand(['umount', '--lazy', folder]) };
};

// others may not mount, but in a namespace of their own, which the rest of the machine enters through /proc
const mountInNamespace = async (folder: string, size: string): Promise<Mounted> => {
  const script = 'mount -t tmpfs -o "$1" tmpfs "$0" && echo mounted && exec cat';
  const holder = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script, folder, size], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(holder, 'exit');
  const isMounted = await Promise.race([once(holder.stdout, 'data').then(() => true), exited.then(() => false)]);
  if (!isMounted) throw new Error('cannot mount a small disk: needs root or user namespaces');
  const unmount = () => {
    holder.stdin.end();
    return exited;
  };
  return { folder: `/proc/${holder.pid}/root${folder}`, unmount };
};

/** A disk in memory that a test can fill. Needs Linux, and root or user namespaces; throws without. */
const givenSmallDisk = async (sizeMb: number): Promise<SmallDisk> => {
  const mountPoint = await mkdtemp(join(inject('temporaryFolder'), 'disk-'));
  const mount = process.getuid?.() === 0 ? mountAsRoot : mountInNamespace;
  const mounted = await mount(mountPoint, `size=${sizeMb}m,mode=0755`);
  const fillers = join(mounted.folder, 'fillers');
  return {
    folder: mounted.folder,
    fill: async (leftMb = 0) => {
      await mkdir(fillers, { recursive: true });
      const { bavail, bsize } = await statfs(mounted.folder);
      const size = bavail * bsize - leftMb * mb;
      if (size <= 0) return;
      await writeFile(join(fillers, String(performance.now())), Buffer.alloc(size)).catch((error: unknown) => {
        // somebody else was faster
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      });
    },
    free: () => rm(fillers, { recursive: true, force: true }),
    [Symbol.asyncDispose]: async () => {
      await mounted.unmount();
    },
  };
};

/** The test, or on a machine that mounts no disk for it, a line that says so: `npm test` has to pass there, too. */
export const onSmallDisk =
  (sizeMb: number, test: (disk: SmallDisk) => Promise<void>): (() => Promise<void>) =>
  async () => {
    let disk: SmallDisk;
    try {
      disk = await givenSmallDisk(sizeMb);
    } catch (error) {
      process.stderr.write(`not tested, because this machine mounts no small disk: ${String(error)}\n`);
      return;
    }
    await using mounted = disk;
    await test(mounted);
  };

const created = z.object({ id: z.number() });

/** Fills the disk and registers conversions until one is refused; returns its headers. */
const untilRefused = async (ledger: Ledger, disk: SmallDisk): Promise<Headers> =>
  eventually(async () => {
    // again each time: PostgreSQL may give some space back, as for files of its log that it needs no more
    await disk.fill();
    const [entry] = ledger.enter(1);
    if (!entry) throw new Error('nothing to register');
    const { status, headers, body } = await entry.partner.post('/client/conversion', entry.conversion);
    entry.statuses.push(status);
    if (status === 201) entry.ids.push(created.parse(body).id);
    expect(status).toBe(503);
    return headers;
  });

/** Makes PostgreSQL start another file of its write-ahead log. */
const nextLogFile = "select pg_logical_emit_message(false, 'full', 'disk'), pg_switch_wal()";

it(
  'refuses with 503 and redirects every visitor while the disk of PostgreSQL is full, and loses nothing',
  onSmallDisk(160, async (disk) => {
    await using postgres = await givenPostgres(disk.folder);
    await using stack = await givenStack(undefined, postgres.database);
    const ledger = await givenLedger(stack);
    const page = await givenLandingPage(stack.database.em(), { mode: 'direct' });
    await Promise.all([stack.start('landing'), stack.start('api'), stack.start('feedback-worker')]);
    await flowsAgain(stack.database, ledger);
    const load = ledger.load(50);
    const clicks = clicksOn(page, stack);
    await using coming = clicks.coming('full', 20);
    await Promise.all([load.more(50), coming.more(50)]);

    const refused = await untilRefused(ledger, disk);
    expect([refused.get('leadback-error'), refused.get('retry-after')]).toEqual(['unavailable', '5']);
    await Promise.all([load.more(50), coming.more(50)]);

    // no room for its write-ahead log either: PostgreSQL panics, restarts by itself, and gives up
    const ended = postgres.server.exited;
    await eventually(async () => {
      await disk.fill();
      await postgres.administer(nextLogFile).catch(() => {});
      expect(await Promise.race([ended, pause(0, 'running')])).toBe('status 1');
    });
    await Promise.all([load.more(50), coming.more(50)]);

    await disk.free();
    await postgres.server.start();
    await flowsAgain(stack.database, ledger);
    const entries = await load.stop();
    const statuses = new Set(entries.map((entry) => entry.statuses.join()));
    expect(statuses).toEqual(new Set(['201', '503']));
    expect(await violationsAfter(stack, ledger)).toEqual([]);

    await clicks.haveLeads(await coming.stop());
  }),
);

it(
  'accepts all conversions while the disk of RabbitMQ is full, and delivers each once',
  onSmallDisk(200, async (disk) => {
    await using broker = await givenBroker(disk.folder);
    await using stack = await givenStack(broker);
    const ledger = await givenLedger(stack);
    const [api] = await Promise.all([stack.start('api'), stack.start('feedback-worker')]);
    await flowsAgain(stack.database, ledger);
    const unconfirmed = async () => sumIn(await api.metrics(), 'leadback_hints_total', { outcome: 'unconfirmed' });
    const before = await unconfirmed();
    const load = ledger.load(50);
    await load.more(50);

    // less than its limit of 50 MB: its alarm blocks publishers. Without any space at all, the node would end
    await eventually(
      async () => {
        // again each time: what RabbitMQ gives back could end its alarm
        await disk.fill(30);
        expect((await unconfirmed()) - before).toBeGreaterThan(50);
      },
      { interval: 250 },
    );
    await load.more(50);

    await disk.free();
    await flowsAgain(stack.database, ledger);
    const entries = await load.stop();
    expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  }),
);
