import { randomUUID } from 'node:crypto';
import { Refusal } from '@leadback/domain';
import { type ContactCipher, failureScopeOf, type Pool, preparedStatement, byteaText } from '@leadback/db';
import { batch } from '@leadback/db/batch';
import type { Keys, SecretsKeys } from '@leadback/domain/keys';
import { waitingBound } from '../once.ts';
import { hashesOfPersons, encryptRequest } from './content.ts';
import { orderOf, unreadable, type OpenSource, type Reading, type ReceivedRequest, type SourceKind } from './kind.ts';
import { cannotOpen, holdSource, openSource, type StoredSource } from './open.ts';

interface NewEvent {
  readonly accountId: number;
  readonly sourceId: number;
  readonly key: string;
  readonly event: string;
  readonly orderReference: string | null;
  readonly stateAt: string | null;
  readonly isPartial: boolean;
  readonly content: string;
  readonly personHashes: readonly string[] | null;
  readonly needsFetch: boolean;
}

// The unique index decides which of several is the first. What repeats it is only counted: nothing of it is kept.
const insert = preparedStatement(
  'receive-source-events',
  `with input as (
     select i.*, row_number() over (partition by "sourceId", key order by ordinality) as nth
     from rows from (json_to_recordset($1) as (
       "accountId" bigint, "sourceId" bigint, key text, event text, "orderReference" text, "stateAt" timestamptz,
       "isPartial" boolean, content bytea, "personHashes" text[], "needsFetch" boolean)) with ordinality i
     cross join lateral (select from source where id = "sourceId" and deleted_at is null limit 1) s
   ), inserted as (
     insert into source_event (account_id, source_id, key, event, order_reference, state_at, is_partial, content, person_hashes, needs_fetch)
     select "accountId", "sourceId", key, event, "orderReference", "stateAt", "isPartial", content, "personHashes", "needsFetch"
     from input where nth = 1 order by "sourceId", key
     on conflict (source_id, key) do nothing
     returning source_id, key
   ), repeated as (
     insert into source_event (account_id, source_id, event, order_reference, finished_at, outcome, reason)
     select "accountId", "sourceId", event, "orderReference", clock_timestamp(), 'repeated', 'same-event'
     from input i
     where nth > 1 or not exists (select from inserted n where n.source_id = i."sourceId" and n.key = i.key)
   )
   select 1`,
);

interface ReceiverOptions {
  readonly secretsKeys: SecretsKeys;
  readonly referenceKeys: Keys;
  readonly contacts: ContactCipher;
  /** How much may wait to be stored, in units of 40 kB. */
  readonly heldMax?: number;
}

// about as much as an order; a statement has at most 200 times as much
const unitBytes = 40_000;
const sizeOf = (events: readonly NewEvent[]): number =>
  events.reduce((sum, { content }) => sum + 1 + Math.floor(content.length / unitBytes), 0);

const limits = { itemsUsual: 50, itemsMax: 200, runsMax: 1, sizeOf, failureScope: failureScopeOf, bound: waitingBound };

// more waits at its sender: a thousand of the largest would fill the memory
const heldUnitsMax = 2_000;

/** Why a request of a known source was not kept. */
export type Unreceived = 'wrong-signature' | 'method-not-allowed' | 'cannot-open';

export interface Received {
  readonly kind: SourceKind;
  /** How many events it told; 0: it was a greeting. */
  readonly events: number;
}

/** What cannot be read is kept all the same: the worker finds out the same, and says so. */
const readSafely = (opened: OpenSource, request: ReceivedRequest): Reading => {
  try {
    return opened.read(request);
  } catch {
    return unreadable;
  }
};

// as many as a batch of the API, and some more
const partsMax = 1_000;
const referenceLongest = 255;
const keyLongest = 500;

const isTime = (text: string | undefined): text is string => text !== undefined && !Number.isNaN(Date.parse(text));

const controlCharacters = /\p{Cc}/gu;

/** What PostgreSQL stores: it takes no NUL, and no half of a character. */
const storable = (text: string, longest: number): string =>
  text.toWellFormed().replace(controlCharacters, '').slice(0, longest).toWellFormed();

// a name of a machine; anything else may name a person
const eventName = /^[\w.:/-]{1,60}$/;

/** What names an event and its sale, as it is stored beside the content. */
export const namesOf = (reading: Reading) => {
  const { means } = reading;
  const { reference, stateAt } = orderOf(means) ?? {};
  return {
    event: eventName.test(reading.event) ? reading.event : 'message',
    orderReference: reference === undefined ? null : storable(reference, referenceLongest),
    stateAt: isTime(stateAt) ? new Date(stateAt).toISOString() : null,
    isPartial: means.kind === 'change' && means.change.to.kind === 'less',
  };
};

type KeepingOptions = Pick<ReceiverOptions, 'referenceKeys' | 'contacts'>;

interface Opened {
  readonly kind: SourceKind;
  readonly opened: OpenSource;
}

/** What is kept of genuine requests. Throws `not-found` if the account was forgotten. */
const eventsOf = async (
  pool: Pool,
  { referenceKeys, contacts }: KeepingOptions,
  { accountId, id: sourceId }: StoredSource,
  { kind, opened }: Opened,
  requests: readonly ReceivedRequest[],
): Promise<NewEvent[]> => {
  const { keys } = (await contacts.ofAccounts(pool, [accountId]))(accountId);
  if (!keys) throw new Refusal('not-found');
  return requests.map((request): NewEvent => {
    const reading = readSafely(opened, request);
    const key = storable(reading.key ?? randomUUID(), keyLongest);
    return {
      accountId,
      sourceId,
      key,
      ...namesOf(reading),
      content: byteaText(encryptRequest(keys, { accountId, sourceId, key }, request, kind.headers)),
      personHashes: hashesOfPersons(keys, referenceKeys, reading.searched),
      needsFetch: reading.means.kind === 'fetch',
    };
  });
};

/** Keeps requests that nobody sent, to be worked on as if somebody had. */
export const keepRequests = async (
  pool: Pool,
  options: KeepingOptions,
  source: StoredSource,
  found: Opened,
  requests: readonly ReceivedRequest[],
): Promise<void> => {
  await insert(pool, [JSON.stringify(await eventsOf(pool, options, source, found, requests))]);
};

/**
 * Holds the requests that wait to share a statement. Returns a function that checks what a source was sent and keeps it,
 * encrypted, to be worked on later; it has returned once that is on disk. Throws `not-found` if the account was forgotten,
 * and `overloaded` while many wait.
 */
export const sourceReceiver = (
  pool: Pool,
  { secretsKeys, referenceKeys, contacts, heldMax = heldUnitsMax }: ReceiverOptions,
) => {
  let held = 0;
  const store = batch(async (groups: readonly (readonly NewEvent[])[]) => {
    await insert(pool, [JSON.stringify(groups.flat())]);
    return groups.map(() => true);
  }, limits);

  return async (source: StoredSource, request: ReceivedRequest): Promise<Received | Unreceived> => {
    const nowMs = Date.now();
    let found: Opened;
    try {
      found = openSource(secretsKeys, source, nowMs);
    } catch {
      // nothing of it comes to a worker, which would hold it
      if (source.state === 'active') await holdSource(pool, source.id, cannotOpen);
      return 'cannot-open';
    }
    const { kind, opened } = found;
    if (!kind.methods.includes(request.method)) return 'method-not-allowed';
    const verdict = opened.verify(request, nowMs);
    if (verdict === 'wrong-signature') return verdict;
    if (verdict === 'greeting') return { kind, events: 0 };
    const parts = opened.parts?.(request) ?? [request];
    if (parts.length > partsMax)
      throw new Refusal('body-too-large', { message: `body: more than ${partsMax} messages` });
    const events = await eventsOf(pool, { referenceKeys, contacts }, source, found, parts);
    if (events.length === 0) return { kind, events: 0 };
    const size = sizeOf(events);
    if (held > 0 && held + size > heldMax) throw waitingBound.overflow();
    held += size;
    try {
      await store(events);
    } finally {
      held -= size;
    }
    return { kind, events: events.length };
  };
};
