import { isDeepStrictEqual } from 'node:util';
import { createHash } from 'node:crypto';
import { type ConnectionField, type PlatformDescriptor, takenName, type Platforms } from '@leadback/platforms';
import { z } from 'zod';
import { ActionRefused, type AccountScope } from '../people/access.ts';
import { audit } from '../audit.ts';
import {
  type EventKind,
  eventKinds,
  eventNameSchema,
  webhookName,
  type AccountId,
  type PlatformName,
  type ConnectionState,
} from '@leadback/domain';
import {
  type SecretsKeys,
  connectionKeys,
  decryptCredentials,
  credentialsKeys,
  encryptCredentials,
} from '@leadback/domain/keys';
import { PlatformConnection, type EntityManager, transaction } from '@leadback/db';
import { LockMode, raw } from '@mikro-orm/core';
import { pauseConnection as pause, resumeConnection as resume } from '../delivery/connections.ts';
import { findAccount } from '../accounts/accounts.ts';

/** How messages name what was typed: the command line by its options, the console by the labels of its form. */
export interface FieldWords {
  readonly field: (field: Pick<ConnectionField, 'name' | 'texts' | 'isFile'>) => string;
  /** What the platform calls an event of the partner. */
  readonly mapping: (eventName: string, value: string) => string;
}

/** The name of a setting or credential in a message. */
const wordOf = ({ field }: FieldWords, { fields }: Pick<PlatformDescriptor, 'fields'>, name: string): string => {
  const known = fields.find((one) => one.name === name);
  return known ? field(known) : name;
};

type Content = Readonly<Record<string, unknown>>;
type Kinds = Pick<PlatformDescriptor, 'credentialKinds' | 'fields'>;

const isGiven = (content: Content, names: readonly string[]) =>
  names.some((name) => content[name] !== undefined && content[name] !== '');

/** `--service-account @key.json, or --client-id, --client-secret and --refresh-token` */
const eitherKind = (platform: Kinds, words: FieldWords): string => {
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });
  return platform.credentialKinds
    .map((names) => list.format(names.map((name) => wordOf(words, platform, name))))
    .join(', or ');
};

/** The names of one kind; undefined if there are none of any. Throws an ActionRefused if there are some of two. */
const kindOf = (platform: Kinds, words: FieldWords, content: Content): readonly string[] | undefined => {
  const [given, other] = platform.credentialKinds.filter((names) => isGiven(content, names));
  if (other !== undefined) {
    throw new ActionRefused('invalid', `give one kind of credentials: ${eitherKind(platform, words)}`);
  }
  return given;
};

/**
 * One message instead of one per missing credential; undefined if some were given, or if the platform has one kind of
 * credentials only.
 */
const noCredentials = (platform: Kinds, words: FieldWords, content: Content): z.core.$ZodIssue | undefined => {
  const [first = [], ...others] = platform.credentialKinds;
  if (others.length === 0 || kindOf(platform, words, content) !== undefined) return undefined;
  const message = `there are no credentials; give ${eitherKind(platform, words)}`;
  return { code: 'custom', path: first.slice(0, 1), message, input: undefined };
};

/** Removes stored credentials of one kind if credentials of another kind are typed. */
const withoutOtherKinds = (platform: Kinds, words: FieldWords, stored: Content, typed: Content): Content => {
  const kind = kindOf(platform, words, typed);
  const replaced = kind === undefined ? [] : platform.credentialKinds.flat().filter((name) => !kind.includes(name));
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !replaced.includes(name)));
};

/** Settings and credentials together; no name is used for both. */
type ConnectionContent = Readonly<Record<string, unknown>>;

const contentSchema = z.record(z.string(), z.unknown());

/** Settings or credentials, as they are stored. */
const contentOf = (stored: unknown): ConnectionContent => contentSchema.parse(stored);

/**
 * Merges typed values into stored content and validates the result; an empty text removes a value. Throws a ZodError
 * that names every value that is missing, invalid, or of another platform.
 */
export const readConnection = (
  platform: PlatformDescriptor,
  words: FieldWords,
  typed: ConnectionContent,
  before: ConnectionContent = {},
): { readonly settings: ConnectionContent; readonly credentials: ConnectionContent } => {
  const { title, settingsSchema, credentialsSchema } = platform;
  const stored = withoutOtherKinds(platform, words, before, typed);
  const content = Object.fromEntries(Object.entries({ ...stored, ...typed }).filter(([, value]) => value !== ''));
  const settings = settingsSchema.pipe(contentSchema).safeParse(content);
  const credentials = credentialsSchema.pipe(contentSchema).safeParse(content);
  if (!settings.success || !credentials.success) {
    const none = noCredentials(platform, words, content);
    const ofCredentials = none ? [none] : credentials.error?.issues;
    throw new z.ZodError([...(settings.error?.issues ?? []), ...(ofCredentials ?? [])]);
  }
  const known = { ...stored, ...settings.data, ...credentials.data };
  const foreign = Object.keys(typed).filter((name) => !Object.hasOwn(known, name) && typed[name] !== '');
  if (foreign.length > 0) {
    const message = `${title} has no such setting`;
    throw new z.ZodError(foreign.map((name) => ({ code: 'custom', path: [name], message, input: typed })));
  }
  return { settings: settings.data, credentials: credentials.data };
};

type Platform = Pick<PlatformDescriptor, 'title' | 'eventKinds' | 'eventSettings' | 'settingsSchema' | 'fields'>;

interface ToldEvents {
  readonly eventKinds: readonly string[];
  readonly eventNames: Readonly<Record<string, string>>;
}

/** What is changed of the events that a connection is told of. */
interface TypedEvents {
  readonly events?: readonly EventKind[] | undefined;
  /** What the platform calls conversions with an eventName of the partner. */
  readonly mapEvent?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly unmapEvent?: readonly string[] | undefined;
  /** Whether names that `mapEvent` does not give are removed. */
  readonly isWholeMapping?: boolean;
}

const expected =
  'expected the eventName of the partner, "=", and what the platform calls it, such as subscription=Subscribe';

const wrong = (path: readonly string[], message: string) =>
  new z.ZodError([{ code: 'custom', path: [...path], message, input: undefined }]);

/** What the platform calls an event, as it is stored: the setting for conversions, with this value. */
const namedAt = (platform: Platform, settings: ConnectionContent, [name, value]: readonly [string, string]) => {
  const { title, eventSettings, settingsSchema } = platform;
  const path = ['mapEvent', name];
  const partners = eventNameSchema.safeParse(name);
  if (partners.data === undefined) throw wrong(path, `eventName: ${partners.error?.issues[0]?.message ?? expected}`);
  if (eventSettings === undefined) throw wrong(path, `${title} has no names for events`);
  const { conversion: setting } = eventSettings;
  const parsed = settingsSchema.safeParse({ ...settings, [setting]: value });
  if (!parsed.success) throw wrong(path, parsed.error.issues[0]?.message ?? expected);
  return [partners.data, z.record(z.string(), z.unknown()).parse(parsed.data)[setting]] as const;
};

/** The event for adjustments must have a name of its own: the platform would count what was taken back as sold. */
const checkNames = (
  platform: Platform,
  words: FieldWords,
  settings: ConnectionContent,
  eventNames: ToldEvents['eventNames'],
  { mapEvent = [] }: TypedEvents,
): void => {
  const { title, eventSettings } = platform;
  const setting = eventSettings?.adjustment;
  const taken = takenName(eventSettings, { settings, eventNames });
  if (setting === undefined || taken === undefined) return;
  const [name, own] = [String(settings[setting]), wordOf(words, platform, setting)];
  if ('eventName' in taken && mapEvent.some(([theirs]) => theirs.trim() === taken.eventName)) {
    const message = `${title} knows ${name} as the event of ${own}; choose another name, or change ${own}`;
    throw wrong(['mapEvent', taken.eventName], message);
  }
  const other = 'setting' in taken ? wordOf(words, platform, taken.setting) : words.mapping(taken.eventName, name);
  throw wrong([setting], `${name} is the name of other events, too (${other}); choose one of its own, such as Refund`);
};

/** Merges what is changed into what a connection is told of. Throws a ZodError that names what to fix. */
export const readEvents = (
  platform: Platform,
  words: FieldWords,
  settings: ConnectionContent,
  typed: TypedEvents,
  before: ToldEvents = { eventKinds: ['conversion'], eventNames: {} },
): { eventKinds: EventKind[]; eventNames: Record<string, string> } => {
  const { events, mapEvent = [], unmapEvent = [], isWholeMapping = false } = typed;
  const told = [...(events ?? eventKinds.filter((kind) => before.eventKinds.includes(kind)))];
  const { title, eventSettings } = platform;
  const unknown = told.find((kind) => !platform.eventKinds.includes(kind));
  if (unknown !== undefined) throw wrong(['events'], `${title} has no ${unknown} event`);
  const leadSetting = eventSettings?.lead;
  if (told.includes('lead') && leadSetting !== undefined && settings[leadSetting] === undefined) {
    throw wrong(['events'], `${title} is told of leads only with ${wordOf(words, platform, leadSetting)}`);
  }
  const names = new Map(isWholeMapping ? [] : Object.entries(before.eventNames));
  if (unmapEvent.some((name) => !names.delete(name))) {
    throw wrong(['unmapEvent'], 'no such eventName is mapped; `connection list` shows those that are');
  }
  for (const pair of mapEvent) {
    const [name, value] = namedAt(platform, settings, pair);
    names.set(name, String(value));
  }
  const eventNames = Object.fromEntries(names);
  checkNames(platform, words, settings, eventNames, typed);
  return { eventKinds: told, eventNames };
};

/** What actions on connections need, beside the database. */
export interface ConnectionTools {
  readonly platforms: Platforms;
  readonly secretsKeys: SecretsKeys;
  readonly words: FieldWords;
}

/** Returns secrets: never print them. Throws an ActionRefused if no key decrypts them. */
export const decryptConnection = (
  { id, account, platform, credentials }: PlatformConnection,
  secretsKeys: SecretsKeys,
): unknown => {
  try {
    const keys = connectionKeys(secretsKeys)(platform);
    return decryptCredentials(keys, { id, accountId: account.id }, Buffer.from(credentials));
  } catch {
    throw new ActionRefused(
      'invalid',
      `cannot decrypt connection ${id}: its key is not in SECRETS_KEY. Restore the key, or run \`connection change ${id}\` with all credentials.`,
    );
  }
};

interface DescribedContent extends ToldEvents {
  readonly settings: ConnectionContent;
  readonly credentials: ConnectionContent;
}

interface Difference {
  readonly before: unknown;
  readonly after: unknown;
}

type Differences = Readonly<Record<string, Difference>>;

const namesOf = (before: object, after: object) => [...new Set([...Object.keys(before), ...Object.keys(after)])];

const differences = (before: ConnectionContent, after: ConnectionContent): Differences =>
  Object.fromEntries(
    namesOf(before, after)
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );

const shown = (value: unknown, whenSet: string) => (value === null ? null : whenSet);

/** Says which credentials were set, replaced or removed, and none of their values. */
const ofCredentials = (before: ConnectionContent, after: ConnectionContent): Differences =>
  Object.fromEntries(
    Object.entries(differences(before, after)).map(([name, { before: former, after: now }]) => [
      name,
      { before: shown(former, 'set'), after: shown(now, former === null ? 'set' : 'replaced') },
    ]),
  );

/** What differs, field by field, for the audit log. */
const describedChange = (before: DescribedContent, after: DescribedContent): Differences => ({
  ...differences(before.settings, after.settings),
  ...ofCredentials(before.credentials, after.credentials),
  ...differences(
    { events: before.eventKinds.toSorted(), eventNames: before.eventNames },
    { events: after.eventKinds.toSorted(), eventNames: after.eventNames },
  ),
});

/**
 * Differs after every change of a connection that somebody has entered. Its version would not do: it grows with a resume, and
 * not with a change of the kinds of events; nor would its credentials, which platforms renew.
 */
const editionOf = ({
  settings,
  eventKinds: chosenKinds,
  eventNames,
  credentialsEnteredAt,
}: Pick<PlatformConnection, 'settings' | 'eventKinds' | 'eventNames' | 'credentialsEnteredAt'>): string =>
  createHash('sha256')
    .update(JSON.stringify([settings, chosenKinds, eventNames, credentialsEnteredAt]))
    .digest('base64url');

/** Which connection. */
export interface WantedConnection {
  readonly id: number;
  /** Only a connection of this account to a platform; undefined: of any account, also a webhook. */
  readonly scope?: AccountScope | undefined;
}

/** Throws an ActionRefused if there is none. */
export const findConnection = async (
  em: EntityManager,
  { id, scope }: WantedConnection,
): Promise<PlatformConnection> => {
  const connection = await em.findOne(
    PlatformConnection,
    scope ? { id, account: scope.accountId, platform: { $ne: webhookName } } : { id },
  );
  if (!connection) throw new ActionRefused('not-found', `there is no connection ${id}`);
  return connection;
};

interface ConnectionChange extends WantedConnection {
  readonly actor: string;
  /** Settings and credentials; an empty text removes a value. What is not named stays. */
  readonly content: ConnectionContent;
  readonly told: TypedEvents;
  /** The edition that was changed; undefined: whichever there is. */
  readonly edition?: string | undefined;
}

/** Empty if the stored credentials cannot be decrypted but all of them were typed. */
const storedCredentials = (
  connection: PlatformConnection,
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

/**
 * Changes settings, credentials and events of a connection; its state stays. Throws a ZodError that names every value that
 * is wrong, and an ActionRefused if somebody else has changed it since `edition`.
 */
export const changeConnection = (
  em: EntityManager,
  { platforms, secretsKeys, words }: ConnectionTools,
  { actor, id, scope, content, told, edition }: ConnectionChange,
): Promise<PlatformConnection> =>
  transaction(em, async (tx) => {
    const connection = await findConnection(tx, { id, scope });
    // the second of two concurrent changes starts from the result of the first
    await tx.lock(connection, LockMode.PESSIMISTIC_WRITE);
    await tx.refresh(connection);
    if (connection.platform === webhookName) throw new ActionRefused('invalid', changedByPartner(id));
    if (edition !== undefined && edition !== editionOf(connection)) {
      throw new ActionRefused('conflict', `connection ${id} was changed in the meantime`);
    }
    const platform = platforms[connection.platform];
    const { eventKinds: chosenKinds, eventNames } = connection;
    const before = {
      settings: contentOf(connection.settings),
      credentials: contentOf(storedCredentials(connection, platform, content, secretsKeys)),
      eventKinds: chosenKinds,
      eventNames,
    };
    const stored = { ...before.settings, ...before.credentials };
    const { settings, credentials } = readConnection(platform, words, content, stored);
    const after = { settings, credentials, ...readEvents(platform, words, settings, told, before) };
    const accountId = connection.account.id;
    Object.assign(connection, {
      settings,
      eventKinds: after.eventKinds,
      eventNames: after.eventNames,
      credentials: encryptCredentials(credentialsKeys(secretsKeys), { id, accountId }, credentials),
      ...(!isDeepStrictEqual(before.credentials, credentials) && { credentialsEnteredAt: raw('now()') }),
    });
    const details = describedChange(before, after);
    await audit(tx, { actor, action: 'connection.change', accountId, target: `connection ${id}`, details });
    return connection;
  });

/** What is typed for a connection that does not exist yet. */
export interface TypedConnection {
  readonly platform: PlatformName;
  readonly content: ConnectionContent;
  readonly told: TypedEvents;
}

interface NewConnection extends TypedConnection {
  readonly actor: string;
  readonly accountId: AccountId;
}

const nextId = z.tuple([z.object({ id: z.coerce.number() })]);

/**
 * Connects an account to a platform: new conversions are reported there. Throws a ZodError that names every value that is
 * missing or wrong.
 */
export const createConnection = (
  em: EntityManager,
  { platforms, secretsKeys, words }: ConnectionTools,
  { actor, accountId, platform, content, told }: NewConnection,
): Promise<PlatformConnection> => {
  const { settings, credentials } = readConnection(platforms[platform], words, content);
  const { eventKinds: chosenKinds, eventNames } = readEvents(platforms[platform], words, settings, told);
  return transaction(em, async (tx) => {
    const account = await findAccount(tx, accountId);
    // the encryption of the credentials is bound to the id, so it is drawn first
    const [{ id }] = nextId.parse(await tx.execute(`select nextval('platform_connection_id_seq') as id`));
    const connection = tx.create(PlatformConnection, {
      id,
      account,
      platform,
      settings,
      eventKinds: chosenKinds,
      eventNames,
      credentials: encryptCredentials(credentialsKeys(secretsKeys), { accountId, id }, credentials),
    });
    await tx.flush();
    await audit(tx, {
      actor,
      action: 'connection.create',
      accountId,
      target: `connection ${id}`,
      details: { platform },
    });
    return connection;
  });
};

interface Switch extends WantedConnection {
  readonly actor: string;
}

const switching =
  (verb: 'pause' | 'resume', after: ConnectionState, change: typeof pause) =>
  (em: EntityManager, { actor, ...wanted }: Switch): Promise<number> =>
    transaction(em, async (tx) => {
      const connection = await findConnection(tx, wanted);
      await tx.lock(connection, LockMode.PESSIMISTIC_WRITE);
      await tx.refresh(connection);
      const { id, account, state: before } = connection;
      const details = { state: { before, after } };
      await audit(tx, {
        actor,
        action: `connection.${verb}`,
        accountId: account.id,
        target: `connection ${id}`,
        details,
      });
      const waiting = await change(tx, id);
      // a webhook that was deleted
      if (waiting === undefined) throw new ActionRefused('not-found', `there is no connection ${id}`);
      return waiting;
    });

/**
 * Stops sending over a connection: pending deliveries wait, and conversions registered meanwhile are never reported over
 * it. Returns how many wait.
 */
export const pauseConnection = switching('pause', 'paused', pause);

/** Sends over a connection again, also what waited for it. Returns how many. */
export const resumeConnection = switching('resume', 'active', resume);

interface ReadConnection {
  readonly connection: PlatformConnection;
  readonly settings: ConnectionContent;
  /** The names of the credentials that are set; undefined if they cannot be decrypted. */
  readonly credentials: readonly string[] | undefined;
  /** For a change: see `changeConnection`. */
  readonly edition: string;
}

const namesOfCredentials = (connection: PlatformConnection, keys: ConnectionTools['secretsKeys']) => {
  try {
    return Object.keys(contentOf(decryptConnection(connection, keys)));
  } catch (error) {
    if (error instanceof ActionRefused) return undefined;
    throw error;
  }
};

/** What is set of a connection: everything but the values of its credentials. */
export const readConnectionContent = async (
  em: EntityManager,
  { secretsKeys }: Pick<ConnectionTools, 'secretsKeys'>,
  wanted: WantedConnection,
): Promise<ReadConnection> => {
  const connection = await findConnection(em, wanted);
  return {
    connection,
    settings: contentOf(connection.settings),
    credentials: namesOfCredentials(connection, secretsKeys),
    edition: editionOf(connection),
  };
};
