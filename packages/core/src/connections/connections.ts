import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  exampleAnswer,
  type ExampleAnswer,
  isSameAnswer,
  type PlatformResponse,
  type Platform,
  type PlatformDescriptor,
  type Platforms,
  type Words,
} from '@leadback/platforms';
import {
  type AccountId,
  type ConnectionState,
  optionalText,
  type Outcome,
  platformNames,
  webhookName,
} from '@leadback/domain';
import { z } from 'zod';
import type { SecretsKeys } from '@leadback/domain/keys';
import { type Pool, type Queryable, statement, transaction } from '@leadback/db';
import { ActionRefused } from '../people/access.ts';
import { audit } from '../audit.ts';
import {
  type ConnectionContent,
  contentOf,
  describedChange,
  type FieldTexts,
  parseContent,
  parseEvents,
  type TypedConnection,
  type TypedEvents,
} from './content.ts';
import { decryptConnection, openConnection, type OpeningTools } from './open.ts';
import {
  changeContent,
  findConnection,
  insertConnection,
  lockAccount,
  lockConnection,
  pauseConnection as pause,
  rejectConnection,
  resumeConnection as resume,
  type StoredConnection,
  type WantedConnection,
} from './store.ts';

/** What actions on connections need, beside the database. */
export interface ConnectionTools {
  readonly platforms: Platforms;
  readonly secretsKeys: SecretsKeys;
  readonly texts: FieldTexts;
}

/**
 * Differs after every change of a connection that somebody has entered. Its version would not do: it grows with a resume, and
 * not with a change of the kinds of events; nor would its credentials, which platforms renew.
 */
const versionOf = ({
  label,
  settings,
  eventKinds: chosenKinds,
  eventNames,
  credentialsEnteredAt,
}: Pick<StoredConnection, 'label' | 'settings' | 'eventKinds' | 'eventNames' | 'credentialsEnteredAt'>): string =>
  createHash('sha256')
    .update(JSON.stringify([label, settings, chosenKinds, eventNames, credentialsEnteredAt]))
    .digest('base64url');

const labelSchema = z.object({ label: optionalText(100) });

/** As it is stored. Throws a ZodError. */
const parseLabel = (typed: string): string | null => labelSchema.parse({ label: typed }).label ?? null;

interface ConnectionChange extends WantedConnection {
  readonly actor: string;
  /** An empty text removes it; undefined: it stays. */
  readonly label?: string | undefined;
  /** Settings and credentials; an empty text removes a value. What is not named stays. */
  readonly content: ConnectionContent;
  readonly receives: TypedEvents;
  /** Also if the account reports to the same destination already. */
  readonly again?: boolean | undefined;
  /** The version that was changed; undefined: whichever there is. */
  readonly version?: string | undefined;
}

/** Empty if the stored credentials cannot be decrypted but all of them were typed. */
const enteredCredentials = (
  connection: StoredConnection,
  { credentialsSchema }: PlatformDescriptor,
  typed: ConnectionContent,
  keys: SecretsKeys,
): unknown => {
  try {
    return decryptConnection(connection, keys);
  } catch (error) {
    if (!credentialsSchema.safeParse(typed).success) throw error;
    return {};
  }
};

const changedByPartner = (id: number) =>
  `connection ${id} is a webhook, which its partner changes: PATCH /api/v1/webhook/${id}`;

const saveChange = (
  pool: Pool,
  { platforms, secretsKeys, texts }: ConnectionTools,
  { actor, id, scope, label: typedLabel, content, receives, again = false, version }: ConnectionChange,
): Promise<{ readonly connection: StoredConnection; readonly isDoubtful: boolean }> =>
  transaction(pool, async (tx) => {
    const connection = await lockConnection(tx, { id, scope });
    if (connection.platform === webhookName) throw new ActionRefused('invalid', changedByPartner(id));
    if (version !== undefined && version !== versionOf(connection)) {
      throw new ActionRefused('conflict', `connection ${id} was changed in the meantime`);
    }
    const { accountId, eventKinds, eventNames } = connection;
    const label = typedLabel === undefined ? connection.label : parseLabel(typedLabel);
    const platform = platforms[connection.platform];
    const before = {
      label: connection.label,
      settings: contentOf(connection.settings),
      credentials: contentOf(enteredCredentials(connection, platform, content, secretsKeys)),
      eventKinds,
      eventNames,
    };
    const { settings, credentials } = parseContent(platform, texts, content, {
      ...before.settings,
      ...before.credentials,
    });
    const after = { label, settings, credentials, ...parseEvents(platform, texts, settings, receives, before) };
    const isElsewhere = platform.destinationOf(before.settings) !== platform.destinationOf(settings);
    const isToldMore = after.eventKinds.some((kind) => !eventKinds.includes(kind));
    if (!again && (isElsewhere || isToldMore)) {
      await requireOwnDestination(tx, platform, { id, accountId, settings, eventKinds: after.eventKinds });
    }
    const areCredentialsNew = !isDeepStrictEqual(before.credentials, credentials);
    const destination = platform.destinationOf(settings) ?? '';
    await changeContent(tx, secretsKeys, connection, { ...after, destination, areCredentialsNew });
    const details = describedChange(before, after);
    await audit(tx, { actor, action: 'connection.change', accountId, target: `connection ${id}`, details });
    const { state } = connection;
    return {
      connection: { ...connection, label, destination },
      isDoubtful: state === 'needs_attention' || (state === 'active' && areCredentialsNew),
    };
  });

interface ChangedConnection {
  readonly connection: StoredConnection;
  /** Undefined: the change says nothing new of whether it works. */
  readonly check: CheckedConnection | undefined;
}

/**
 * Changes label, settings, credentials and events of a connection. One that is held, or has new credentials, is checked then: see
 * `checkConnection`. Throws a ZodError that names every value that is wrong, and an ActionRefused if somebody else has changed
 * it since `version`.
 */
export const changeConnection = async (
  pool: Pool,
  tools: ConnectionTools,
  change: ConnectionChange,
): Promise<ChangedConnection> => {
  const { connection, isDoubtful } = await saveChange(pool, tools, change);
  const { actor, id, scope } = change;
  const check = isDoubtful ? await checkConnection(pool, tools, { actor, id, scope }) : undefined;
  return { connection: check?.connection ?? connection, check };
};

interface Existing {
  readonly id: number;
  readonly accountId: number;
  readonly settings: unknown;
  readonly eventKinds: readonly string[];
}

const ofPlatform = statement<Existing>(
  `select id, account_id as "accountId", settings, event_kinds as "eventKinds" from platform_connection
   where platform = $1 and deleted_at is null order by id`,
);

type Told = Pick<Existing, 'settings' | 'eventKinds'>;

interface Destination extends Told {
  /** Of the connection that is changed. */
  readonly id?: number;
  readonly accountId: AccountId;
}

/** Whether two connections to a platform tell the same destination of the same kind of events. */
const tellAlike = ({ destinationOf }: PlatformDescriptor, one: Told, other: Told): boolean => {
  const destination = destinationOf(one.settings);
  return (
    destination !== undefined &&
    destinationOf(other.settings) === destination &&
    other.eventKinds.some((kind) => one.eventKinds.includes(kind))
  );
};

const withSameDestination = async (
  on: Queryable,
  platform: PlatformDescriptor,
  wanted: Destination,
): Promise<readonly Existing[]> => {
  const all = await ofPlatform(on, [platform.name]);
  return all.filter((other) => other.id !== wanted.id && tellAlike(platform, wanted, other));
};

/** Connections of one account that report the same kind of events to the same destination, each pair once. */
export const findRepeatedDestinations = async (
  on: Queryable,
  { platforms }: Pick<ConnectionTools, 'platforms'>,
): Promise<readonly { readonly accountId: AccountId; readonly ids: readonly [number, number] }[]> => {
  const found = [];
  for (const name of platformNames) {
    const platform = platforms[name];
    const all = await ofPlatform(on, [name]);
    for (const own of Map.groupBy(all, ({ accountId }) => accountId).values()) {
      for (const [place, one] of own.entries()) {
        const other = own.slice(place + 1).find((later) => tellAlike(platform, one, later));
        if (other) found.push({ accountId: one.accountId, ids: [one.id, other.id] as const });
      }
    }
  }
  return found;
};

/** Throws ActionRefused if the account has another connection to the destination. */
const requireOwnDestination = async (
  on: Queryable,
  platform: PlatformDescriptor,
  wanted: Destination,
): Promise<void> => {
  const [first] = (await withSameDestination(on, platform, wanted)).filter(
    ({ accountId }) => accountId === wanted.accountId,
  );
  if (first === undefined) return;
  const destination = platform.destinationOf(wanted.settings);
  throw new ActionRefused(
    'destination-exists',
    `connection ${first.id} reports to ${platform.title} ${destination} already: a second one would report each sale twice; change connection ${first.id} instead, or say --again`,
  );
};

interface NewConnection extends TypedConnection {
  readonly actor: string;
  readonly accountId: AccountId;
  readonly label?: string | undefined;
  /** Also if the account has a connection to the same destination. */
  readonly again?: boolean | undefined;
}

interface CreatedConnection {
  readonly id: number;
  /** What it is called wherever it is shown. */
  readonly label: string;
  readonly destination: string;
  /** In full sentences, without anything of other accounts but their ids: for operators. */
  readonly warnings: readonly string[];
}

/**
 * Connects an account to a platform: new conversions are reported there. Throws a ZodError that names every value that is missing
 * or wrong, and an ActionRefused if the account has a connection to the same destination.
 */
export const createConnection = (
  pool: Pool,
  { platforms, secretsKeys, texts }: ConnectionTools,
  { actor, accountId, platform, label: typedLabel = '', content, receives, again = false }: NewConnection,
): Promise<CreatedConnection> => {
  const label = parseLabel(typedLabel);
  const { settings, credentials } = parseContent(platforms[platform], texts, content);
  const events = parseEvents(platforms[platform], texts, settings, receives);
  return transaction(pool, async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw new ActionRefused('not-found', `there is no account ${accountId}`);
    const wanted = { accountId, settings, eventKinds: events.eventKinds };
    if (!again) await requireOwnDestination(tx, platforms[platform], wanted);
    const others = await withSameDestination(tx, platforms[platform], wanted);
    const destination = platforms[platform].destinationOf(settings) ?? '';
    const stored = { accountId, platform, label, destination, settings, credentials, ...events };
    const id = await insertConnection(tx, secretsKeys, stored);
    const entry = { actor, action: 'connection.create', accountId, target: `connection ${id}` };
    await audit(tx, { ...entry, details: { platform, destination, ...(label !== null && { label }) } });
    const accounts = new Set(others.flatMap((other) => (other.accountId === accountId ? [] : other.accountId)));
    const warnings = [...accounts].map(
      (other) =>
        `Account ${other} reports to the same destination: if both number their orders from 1, the platform takes two orders with one number for one sale. Then give one account a prefix: account change ${accountId} --event-id-prefix shop-${accountId}-`,
    );
    return { id, label: label ?? destination, destination, warnings };
  });
};

interface Switch extends WantedConnection {
  readonly actor: string;
}

const switching =
  (verb: 'pause' | 'resume', after: ConnectionState, change: typeof pause) =>
  (pool: Pool, { actor, ...wanted }: Switch): Promise<number> =>
    transaction(pool, async (tx) => {
      const { id, accountId, state: before } = await lockConnection(tx, wanted);
      const entry = { actor, action: `connection.${verb}`, accountId, target: `connection ${id}` };
      await audit(tx, { ...entry, details: { state: { before, after } } });
      const waiting = await change(tx, id);
      if (waiting === undefined) throw new ActionRefused('not-found', `there is no connection ${id}`);
      return waiting;
    });

/**
 * Stops sending over a connection: pending deliveries wait, and so do those of conversions that are registered meanwhile.
 * Returns how many wait.
 */
export const pauseConnection = switching('pause', 'paused', pause);

/** Sends over a connection again, also what waited for it. Returns how many. */
export const resumeConnection = switching('resume', 'active', resume);

interface ReadConnection {
  readonly connection: StoredConnection;
  readonly settings: ConnectionContent;
  /** The names of the credentials that are set; undefined if they cannot be decrypted. */
  readonly credentials: readonly string[] | undefined;
  /** For a change: see `changeConnection`. */
  readonly version: string;
}

const namesOfCredentials = (connection: StoredConnection, keys: ConnectionTools['secretsKeys']) => {
  try {
    return Object.keys(contentOf(decryptConnection(connection, keys)));
  } catch (error) {
    if (error instanceof ActionRefused) return undefined;
    throw error;
  }
};

/** What is set of a connection: everything but the values of its credentials. */
export const readConnectionContent = async (
  on: Queryable,
  { secretsKeys }: Pick<ConnectionTools, 'secretsKeys'>,
  wanted: WantedConnection,
): Promise<ReadConnection> => {
  const connection = await findConnection(on, wanted);
  return {
    connection,
    settings: contentOf(connection.settings),
    credentials: namesOfCredentials(connection, secretsKeys),
    version: versionOf(connection),
  };
};

interface CheckedConnection extends PlatformResponse {
  /** After the check. */
  readonly connection: StoredConnection;
  /** How many deliveries waited for it, and are sent now. */
  readonly sent: number;
}

type Checking = Pick<OpeningTools, 'platforms' | 'secretsKeys'>;

/** Whether the answer to our own event says that the platform rejects the connection, not the event. */
const isRejected = ({ codes }: Pick<Platform, 'codes'>, outcome: Outcome): outcome is Outcome & { reason: string } =>
  outcome.kind === 'refused' ||
  (outcome.kind === 'rejected' &&
    rejectedCheck(codes, outcome.reason) === null &&
    codes.meaningOf(outcome.reason) === undefined);

/** The answer to a test event says nothing of a connection that is paused, or was changed meanwhile, nor of a webhook. */
const keepVerdict = (
  pool: Pool,
  { id, version, platform }: StoredConnection,
  { outcome, ...answer }: PlatformResponse,
  { actor, platforms }: Pick<Checking, 'platforms'> & { readonly actor: string },
): Promise<CheckedConnection> =>
  transaction(pool, async (tx) => {
    const now = await lockConnection(tx, { id });
    const unchanged = { outcome, ...answer, connection: now, sent: 0 };
    if (platform === webhookName || now.version !== version || now.state === 'paused') return unchanged;
    if (isRejected(platforms[platform], outcome)) {
      await rejectConnection(tx, id, outcome.reason);
      return { ...unchanged, connection: { ...now, state: 'needs_attention', stateReason: outcome.reason } };
    }
    if (outcome.kind !== 'delivered' || now.state === 'active') return unchanged;
    const details = { state: { before: now.state, after: 'active' } };
    await audit(tx, {
      actor,
      action: 'connection.resume',
      accountId: now.accountId,
      target: `connection ${id}`,
      details,
    });
    const sent = (await resume(tx, id)) ?? 0;
    return { ...unchanged, connection: { ...now, state: 'active', stateReason: null }, sent };
  });

/**
 * Sends a test event over a connection, which does not count as a conversion; a platform without tests gets a live event
 * that matches nobody. The answer decides: a connection that is held and works is resumed, and one that the platform rejects is held.
 */
export const checkConnection = async (
  pool: Pool,
  tools: Checking,
  { actor, ...wanted }: WantedConnection & { readonly actor: string },
): Promise<CheckedConnection> => {
  const connection = await findConnection(pool, wanted);
  // whatever its partner calls events
  const access = openConnection({ ...tools, pool }, { ...connection, eventNames: {} }, 'live');
  return keepVerdict(pool, connection, await access.check(), { actor, platforms: tools.platforms });
};

/** The same for a connection that is typed and not stored. Throws a ZodError that names every value that is wrong. */
export const checkTypedConnection = (
  { platforms, texts }: { readonly platforms: Platforms; readonly texts: FieldTexts },
  { platform, content, receives }: TypedConnection,
): Promise<PlatformResponse> => {
  const { settings, credentials } = parseContent(platforms[platform], texts, content);
  parseEvents(platforms[platform], texts, settings, receives);
  return platforms[platform].access(settings, credentials, 'live').check();
};

/** What a platform and the sandbox answer to one example. */
interface ComparedExample {
  readonly about: string;
  /** Null: it was not sent, because the platform did not answer to one before. */
  readonly answer: ReturnType<typeof exampleAnswer> | null;
  readonly sandbox: ExampleAnswer;
  /** Null: the platform did not answer. */
  readonly differs: boolean | null;
}

interface ComparedConnection {
  readonly connection: StoredConnection;
  /** Undefined: the platform has no tests, and nothing was sent. */
  readonly examples: readonly ComparedExample[] | undefined;
  /** Why not all were sent: the platform rejects the connection, or does not answer as it should. */
  readonly stoppedBy: Outcome | undefined;
}

const saysNothing: readonly Outcome['kind'][] = ['unavailable', 'throttled', 'postponed'];

/**
 * Sends the examples of a platform over a connection as tests, one by one, and compares its answers with those of the sandbox.
 * Changes nothing, but stores the credentials that the platform issues instead.
 */
export const compareWithSandbox = async (
  on: Queryable,
  tools: Pick<OpeningTools, 'platforms' | 'secretsKeys'>,
  wanted: WantedConnection,
): Promise<ComparedConnection> => {
  const connection = await findConnection(on, wanted);
  const access = openConnection({ ...tools, pool: on }, { ...connection, eventNames: {} }, 'test');
  if (access.examples === undefined) return { connection, examples: undefined, stoppedBy: undefined };
  const compared: ComparedExample[] = [];
  let stoppedBy: Outcome | undefined;
  for (const example of access.examples.all()) {
    const { about, sandbox } = example;
    if (stoppedBy !== undefined) {
      compared.push({ about, sandbox, answer: null, differs: null });
      continue;
    }
    const response = await access.examples.send(example);
    const answer = exampleAnswer(response);
    const { kind } = response.outcome;
    // the first is a sale as any other: a platform that refuses it refuses the connection
    const isRefused = kind === 'refused' && compared.length === 0;
    if (saysNothing.includes(kind) || isRefused) stoppedBy = response.outcome;
    compared.push({ about, sandbox, answer, differs: stoppedBy === undefined ? !isSameAnswer(answer, sandbox) : null });
  }
  return { connection, examples: compared, stoppedBy };
};

/** What it means if a check is rejected for this reason, in full sentences; null: nothing in particular. */
export const rejectedCheck = ({ rejectedChecks = {} }: Platform['codes'], reason: string): Words | null => {
  const code = /^\w+(?=:)/.exec(reason)?.[0] ?? '';
  return Object.hasOwn(rejectedChecks, code) ? (rejectedChecks[code] ?? null) : null;
};
