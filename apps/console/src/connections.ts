import { setTimeout as pause } from 'node:timers/promises';
import {
  type ConnectionTools,
  changeConnection,
  createConnection,
  pauseConnection,
  readConnectionContent,
  resumeConnection,
  checkConnection,
  checkTypedConnection,
  rejectedCheck,
} from '@leadback/core/connections/connections';
import type { Database } from '@leadback/db';
import { takeQuotaSlot } from '@leadback/core/delivery/quota';
import type { PlatformName } from '@leadback/domain';
import type { AccountScope } from '@leadback/core/people/access';
import type { PlatformResponse, Remedy, TakeSlot } from '@leadback/platforms';
import { type ListedConnection, listConnections } from '@leadback/core/connections/list-connections';
import type { z } from 'zod';
import type { changeConnectionInput, newConnectionInput } from './contract/connections.ts';

type Typed = Pick<z.output<typeof newConnectionInput>, 'content' | 'eventKinds' | 'eventNames'>;

const toldOf = ({ eventKinds, eventNames }: Typed) => ({
  events: eventKinds,
  mapEvent: Object.entries(eventNames),
  isWholeMapping: true,
});

interface ReadConnection extends Omit<Awaited<ReturnType<typeof readConnectionContent>>, 'connection'> {
  readonly connection: ListedConnection;
  readonly eventNames: Readonly<Record<string, string>>;
}

/** The answer of a platform to a test event, and what it means for the connection. */
interface CheckedConnection extends PlatformResponse {
  readonly note: string | null;
  readonly remedy: Remedy | undefined;
}

/** Connections of accounts to platforms. Actions throw what those of `@leadback/administration` do. */
export const connections = ({ pool }: Pick<Database, 'pool'>, others: Omit<ConnectionTools, 'words'>) => {
  const tools: ConnectionTools = {
    ...others,
    words: { field: ({ texts }) => texts.en.label, mapping: (eventName, value) => `${eventName} = ${value}` },
  };
  const { platforms } = tools;
  const list = (scope: AccountScope, id?: number) => listConnections(pool, scope, id);

  const read = async (scope: AccountScope, id: number): Promise<ReadConnection | undefined> => {
    const [connection] = await list(scope, id);
    if (!connection) return undefined;
    const { connection: stored, ...content } = await readConnectionContent(pool, tools, { id, scope });
    return { connection, ...content, eventNames: stored.eventNames };
  };

  const judged = (platform: PlatformName, answer: PlatformResponse): CheckedConnection => {
    const { codes, remedyFor } = platforms[platform];
    const { outcome } = answer;
    return {
      ...answer,
      note: outcome.kind === 'rejected' ? rejectedCheck(codes, outcome.reason) : null,
      remedy: outcome.kind === 'refused' ? remedyFor(outcome.reason) : undefined,
    };
  };

  return {
    list,
    read,
    /** How a connection is fixed that its platform rejects; undefined if it does not. */
    remedyFor: ({ platform, state, stateReason }: ListedConnection): Remedy | undefined =>
      state === 'needs_attention' ? platforms[platform].remedyFor(stateReason ?? '') : undefined,
    async create(scope: AccountScope, actor: string, input: z.output<typeof newConnectionInput>): Promise<number> {
      const { platform, content } = input;
      const { accountId } = scope;
      return createConnection(pool, tools, { actor, accountId, platform, content, told: toldOf(input) });
    },
    async change(
      scope: AccountScope,
      actor: string,
      { id, edition, content, ...told }: z.output<typeof changeConnectionInput> & { readonly id: number },
    ): Promise<void> {
      await changeConnection(pool, tools, { actor, id, scope, edition, content, told: toldOf({ content, ...told }) });
    },
    /** Of a connection that is not stored. */
    async checkTyped(input: z.output<typeof newConnectionInput>): Promise<CheckedConnection> {
      const { platform, content } = input;
      return judged(platform, await checkTypedConnection(tools, { platform, content, told: toldOf(input) }));
    },
    async check(scope: AccountScope, id: number): Promise<CheckedConnection | undefined> {
      const [known] = await list(scope, id);
      return known && judged(known.platform, await checkConnection(pool, tools, { id, scope }));
    },
    pause: (scope: AccountScope, actor: string, id: number) => pauseConnection(pool, { actor, id, scope }),
    resume: (scope: AccountScope, actor: string, id: number) => resumeConnection(pool, { actor, id, scope }),
  };
};

export type Connections = ReturnType<typeof connections>;

// a person waits for the answer
const waitMaxMs = 5_000;

/** Test events take slots of the same quotas as the deliveries of the workers. */
export const takeCheckSlot =
  ({ pool }: Pick<Database, 'pool'>): TakeSlot =>
  async (quota) => {
    const { taken, inMs } = await takeQuotaSlot(pool, { ...quota, waitMaxMs });
    if (!taken) return inMs;
    await pause(inMs);
    return undefined;
  };
