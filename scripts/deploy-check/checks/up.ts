import { z } from 'zod';
import type { DemoAccount } from '../../start/demo-account.ts';
import { givenAdmin } from '../../start/accept-invitation.ts';
import { addresses } from '../load/addresses.ts';
import { givenWalker, walk } from '../load/walk.ts';
import type { Facts } from '../../../tests/support/oracle.ts';
import { administratorOf } from '../load/end-oracle.ts';
import type { Report } from '../report.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';
import { consoleSession } from './console-session.ts';

/** What later checks need of a running stack. */
export interface RunningStack {
  readonly demo: DemoAccount;
  /** The connections of its account. */
  readonly connections: readonly number[];
  /** The conversions that were requested so far, but for a load that is running. */
  readonly requested: Facts['entries'][number][];
}

const idsSchema = z.array(z.object({ id: z.coerce.number() }));

const connectionsOf = async (stack: ComposeStack, accountId: number): Promise<number[]> => {
  await using database = await administratorOf(stack);
  const { rows } = await database.pool.query(
    `select id from platform_connection where account_id = $1 and platform <> 'webhook' order by id`,
    [accountId],
  );
  return idsSchema.parse(rows).map(({ id }) => id);
};

/** Makes an account in a stack that runs. */
const useStack = async (stack: ComposeStack): Promise<RunningStack> => {
  const demo = await givenWalker(stack.operate);
  return { demo, connections: await connectionsOf(stack, demo.accountId), requested: [] };
};

/** Walks one visitor through, and remembers the conversion for the oracle. */
export const walkThrough = async (running: RunningStack, say: Report['say']): Promise<string> => {
  const { id, order } = await walk(running.demo, (text) => say(`  ${text}`));
  running.requested.push({ reference: order, connections: running.connections, statuses: [201], ids: [id] });
  return `conversion ${id}`;
};

/** Starts docker-compose.yml, unchanged, and uses it. Throws if it does not start. */
export const checkStart = async (stack: ComposeStack, { check, begin, say }: Report): Promise<RunningStack> => {
  begin('compose');
  const isUp = await check('docker compose up -d --wait starts everything, and all are healthy', async () => {
    await stack.compose('up', '--detach', '--wait', '--wait-timeout', '120');
  });
  if (!isUp)
    throw new Error(`docker compose does not start it:\n${(await stack.tryCompose('logs', '--tail', '15')).output}`);
  const running = await useStack(stack);
  await check('one visitor goes from the click to the sandbox', () => walkThrough(running, say));
  await check('a person accepts an invitation and signs in to the console', async () => {
    const person = await givenAdmin(stack.operate, addresses.console, 'check@example.com');
    const { isKnown } = await consoleSession(addresses.console, person);
    if (!(await isKnown())) throw new Error('the console does not know the session');
  });
  await check('the API serves its documentation and the SDKs', async () => {
    for (const path of ['/docs', '/docs/changelog', '/docs/leadback.py']) {
      const { ok, status } = await fetch(new URL(path, addresses.api));
      if (!ok) throw new Error(`${path} got ${status}`);
    }
  });
  return running;
};
