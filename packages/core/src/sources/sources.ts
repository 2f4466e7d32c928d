import { isDeepStrictEqual } from 'node:util';
import { type AccountId, requiredText, type SourceOutcome, type SourceState } from '@leadback/domain';
import { type Pool, type PoolClient, type Queryable, statement, transaction } from '@leadback/db';
import type { SecretsKeys } from '@leadback/domain/keys';
import { z } from 'zod';
import { audit } from '../audit.ts';
import { lockAccount } from '../connections/store.ts';
import { type AccountScope, ActionRefused } from '../people/access.ts';
import { isRefused } from './attention.ts';
import type { SourceKind } from './kind.ts';
import { kindNamed, sourceKinds } from './kinds/index.ts';
import { newPath, decryptSecrets, pathHashOf, encryptSecrets, type SourceSecrets } from './secrets.ts';

/** Settings and secrets together, by the names of the fields of a kind. */
type Content = Readonly<Record<string, unknown>>;

/** A source as it is listed. Its events are those that are kept: of the last 30 days. */
export interface ListedSource {
  readonly id: number;
  readonly accountId: AccountId;
  readonly kind: string;
  readonly label: string;
  readonly state: SourceState;
  readonly stateReason: string | null;
  readonly isTest: boolean;
  readonly createdAt: Date;
  readonly lastEventAt: Date | null;
  readonly received: number;
  readonly waiting: number;
  readonly sales: number;
  readonly adjustments: number;
  readonly repeated: number;
  readonly ignored: number;
  readonly failed: number;
  /** How many requests had a wrong signature since the last genuine one. */
  readonly refused: number;
  readonly refusedAt: Date | null;
  /** Whether somebody must act on that. */
  readonly isRefused: boolean;
  /** Orders that no later message brought a click to. */
  readonly withoutClick: number;
}

const counted = (outcome: SourceOutcome) => `count(*) filter (where outcome = '${outcome}')::int`;

const listed = `
  select s.id, s.account_id as "accountId", s.kind, s.label, s.state, s.state_reason as "stateReason", s.is_test as "isTest",
         s.created_at as "createdAt", s.refused_count as refused, s.refused_at as "refusedAt",
         ${isRefused('s', 'e."lastEventAt"')} as "isRefused", e.*
  from source s cross join lateral (
    select max(received_at) as "lastEventAt", count(*)::int as received, count(*) filter (where finished_at is null)::int as waiting,
           ${counted('sale')} as sales, ${counted('adjusted')} as adjustments, ${counted('repeated')} as repeated,
           ${counted('ignored')} as ignored, ${counted('failed')} as failed,
           count(*) filter (where outcome = 'without-click' and not exists (
             select from source_event later
             where later.source_id = s.id and later.order_reference = event.order_reference and later.outcome = 'sale'))::int as "withoutClick"
    from source_event event where source_id = s.id
  ) e
  where s.deleted_at is null`;

const list = statement<ListedSource>(`${listed} and s.account_id = $1 order by s.id`);
const listOne = statement<ListedSource>(`${listed} and s.id = $1 and s.account_id = coalesce($2, s.account_id)`);

/** Oldest first. */
export const listSources = (on: Queryable, accountId: AccountId): Promise<ListedSource[]> => list(on, [accountId]);

/** The part of the sales that a click led to; null: there are none. */
export const shareWithClick = ({ sales, withoutClick }: Pick<ListedSource, 'sales' | 'withoutClick'>): number | null =>
  sales + withoutClick === 0 ? null : sales / (sales + withoutClick);

/** What a source was told. */
export interface ListedEvent {
  readonly id: number;
  readonly at: Date;
  readonly event: string;
  readonly order: string | null;
  /** Null: it waits. */
  readonly outcome: SourceOutcome | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly conversionId: number | null;
}

const listEvents = statement<ListedEvent>(
  `select id, received_at as at, event, order_reference as "order", outcome, reason, message, conversion_id as "conversionId"
   from source_event where source_id = $1 and account_id = $2 and id < coalesce($3::bigint, 9223372036854775807)
   order by id desc limit $4`,
);

/** Newest first. `before`: only events before the one with this id. */
export const listSourceEvents = (
  on: Queryable,
  { id, accountId }: Pick<ListedSource, 'id' | 'accountId'>,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
): Promise<ListedEvent[]> => listEvents(on, [id, accountId, before ?? null, limit]);

/** Which source. */
export interface WantedSource {
  readonly id: number;
  /** Only one of this account; undefined: of any. */
  readonly scope?: AccountScope | undefined;
}

const missing = (id: number) => new ActionRefused('not-found', `there is no source ${id}`);

/** Throws an ActionRefused if there is none, or it was deleted. */
export const findListedSource = async (on: Queryable, { id, scope }: WantedSource): Promise<ListedSource> => {
  const [source] = await listOne(on, [id, scope?.accountId ?? null]);
  if (!source) throw missing(id);
  return source;
};

interface Stored {
  readonly id: number;
  readonly accountId: AccountId;
  readonly kind: string;
  readonly label: string;
  readonly state: SourceState;
  readonly settings: unknown;
  readonly secrets: Buffer;
}

const stored = `
  select id, account_id as "accountId", kind, label, state, settings, secrets from source
  where id = $1 and account_id = coalesce($2, account_id) and deleted_at is null`;

const readOne = statement<Stored>(stored);
const lockOne = statement<Stored>(`${stored} for no key update`);

/** What is stored of a source, without what it was told. Throws an ActionRefused if there is none, or it was deleted. */
export const findStoredSource = async (on: Queryable, { id, scope }: WantedSource): Promise<Stored> => {
  const [source] = await readOne(on, [id, scope?.accountId ?? null]);
  if (!source) throw missing(id);
  return source;
};

const lock = async (tx: Queryable, { id, scope }: WantedSource): Promise<Stored> => {
  const [source] = await lockOne(tx, [id, scope?.accountId ?? null]);
  if (!source) throw missing(id);
  return source;
};

/** The kind of this name. Throws an ActionRefused that names all. */
export const requireKind = (name: string): SourceKind => {
  const kind = kindNamed(name);
  if (kind) return kind;
  const all = sourceKinds.map((one) => one.name).join(', ');
  throw new ActionRefused('invalid', `kind: expected ${all}`);
};

const labelSchema = z.object({ label: requiredText(100) });
const secretSchema = z.looseObject({ secret: z.string().optional() });
const secretIn = (content: Content): string | undefined => secretSchema.parse(content).secret;

interface NewSource {
  readonly actor: string;
  readonly accountId: AccountId;
  readonly kind: string;
  /** Default: the title of the kind. */
  readonly label?: string | undefined;
  /** Whether all that it brings is a test. */
  readonly isTest: boolean;
  readonly content: Content;
}

interface CreatedSource {
  readonly id: number;
  readonly kind: string;
  readonly label: string;
  /** The last part of its URL: `/source/<path>` of the API. */
  readonly path: string;
  /** If it was made here: the only time that it is shown. */
  readonly secret: string | undefined;
}

// one after the other is deleted and added: each has events of 30 days
const sourcesMax = 50;

const nextId = statement<{ id: number }>(`select nextval('source_id_seq') as id`);

const insert = statement<{ id: number }>(
  `insert into source (id, account_id, kind, label, path_hash, settings, secrets, is_test)
   select $1, $2, $3, $4, $5, $6, $7, $8
   where (select count(*) from source where account_id = $2 and deleted_at is null) < ${sourcesMax}
   returning id`,
);

/** Throws a ZodError that names every value that is wrong, and an ActionRefused. */
export const createSource = (
  pool: Pool | PoolClient,
  secretsKeys: SecretsKeys,
  { actor, accountId, kind: name, label: typedLabel, isTest, content: typed }: NewSource,
): Promise<CreatedSource> => {
  const kind = requireKind(name);
  const { label } = labelSchema.parse({ label: typedLabel ?? kind.title });
  const made = secretIn(typed) === undefined ? kind.newSecret?.() : undefined;
  const { settings, secrets: own } = kind.parse({ ...typed, ...(made !== undefined && { secret: made }) });
  const path = newPath();
  return transaction(pool, async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw new ActionRefused('not-found', `there is no account ${accountId}`);
    // the encryption of the secrets is bound to the id, so it is drawn first
    const [drawn] = await nextId(tx, []);
    if (!drawn) throw new Error('the sequence of sources is missing');
    const { id } = drawn;
    const secrets = encryptSecrets(secretsKeys, { id, accountId }, { path, own, earlier: [] });
    const values = [id, accountId, kind.name, label, pathHashOf(path), JSON.stringify(settings), secrets, isTest];
    const [inserted] = await insert(tx, values);
    if (!inserted) throw new ActionRefused('invalid', `the account has ${sourcesMax} sources; delete one first`);
    const details = { kind: kind.name, label, isTest };
    await audit(tx, { actor, action: 'source.create', accountId, target: `source ${id}`, details });
    return { id, kind: kind.name, label, path, secret: made };
  });
};

/** Of the API, whose URL is given with or without `/api/v1`. */
const rootOf = (apiUrl = 'http://127.0.0.1:3001'): string => apiUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '');

/** Where the other side sends to. */
export const sourceUrl = (apiUrl: string | undefined, path: string): string => `${rootOf(apiUrl)}/source/${path}`;

/** What the documentation says of a kind. */
export const sourcePage = (apiUrl: string | undefined, { title }: Pick<SourceKind, 'title'>): string =>
  `${rootOf(apiUrl)}/docs/sources#${title.toLowerCase().replaceAll(' ', '-')}`;

const contentSchema = z.record(z.string(), z.unknown());

interface SourceContent {
  readonly settings: Content;
  /** Undefined: no key decrypts them. */
  readonly encrypted:
    | {
        /** The last part of its URL: of a kind that does not sign, it is the secret. */
        readonly path: string;
        /** Names of the secrets that are set. */
        readonly secrets: readonly string[];
        /** Until when a secret that was replaced signs as well; undefined: none does. */
        readonly earlierUntil: string | undefined;
      }
    | undefined;
}

/** What is set of a source, without its secrets. */
export const readSourceContent = async (
  on: Queryable,
  secretsKeys: SecretsKeys,
  wanted: WantedSource,
): Promise<SourceContent> => {
  const source = await findStoredSource(on, wanted);
  const settings = contentSchema.parse(source.settings);
  let opened: SourceSecrets;
  try {
    opened = decryptSecrets(secretsKeys, source, source.secrets);
  } catch {
    return { settings, encrypted: undefined };
  }
  const untils = opened.earlier.map(({ until }) => until).filter((until) => Date.now() < Date.parse(until));
  const earlierUntil = untils.toSorted((one, other) => Date.parse(other) - Date.parse(one))[0];
  return { settings, encrypted: { path: opened.path, secrets: Object.keys(opened.own), earlierUntil } };
};

const openedSecrets = (secretsKeys: SecretsKeys, source: Stored): SourceSecrets => {
  try {
    return decryptSecrets(secretsKeys, source, source.secrets);
  } catch {
    throw new ActionRefused(
      'invalid',
      'no key of SECRETS_KEY decrypts the secrets of this source; restore the key, or delete the source and add it again',
    );
  }
};

interface SourceChanges extends WantedSource {
  readonly actor: string;
  readonly label?: string | undefined;
  /** Settings and secrets; an empty text removes a value. What is not named stays. */
  readonly content: Content;
}

// what held it is perhaps fixed: with other settings or secrets, it is tried again
const save = statement(
  `update source
   set label = $3, settings = $4, secrets = $5,
       state = case when $6 and state = 'needs_attention' then 'active' else state end,
       state_reason = case when $6 then null else state_reason end,
       state_since = case when $6 and state = 'needs_attention' then now() else state_since end,
       refused_count = case when $6 then 0 else refused_count end, refused_since = case when $6 then null else refused_since end,
       refused_at = case when $6 then null else refused_at end
   where id = $1 and account_id = $2`,
);

// what waited longer with each failure
const retryNow = statement(
  `update source_event set due_at = clock_timestamp()
   where source_id = $1 and finished_at is null and failures > 0 and due_at > clock_timestamp()`,
);

const overlapMs = 24 * 60 * 60 * 1000;
const earlierMax = 4;

/** A secret that was replaced signs for one more day: the other side may be told of the new one at any time. */
const rotated = (before: SourceSecrets, own: Content, nowMs: number): SourceSecrets => {
  const earlier = before.earlier.filter(({ until }) => nowMs < Date.parse(until));
  const former = secretIn(before.own);
  if (former === undefined || former === secretIn(own)) return { ...before, own, earlier };
  const until = new Date(nowMs + overlapMs).toISOString();
  return { ...before, own, earlier: [{ secret: former, until }, ...earlier].slice(0, earlierMax) };
};

/** Who may not read a secret could otherwise have it sent to an address of their own. */
const requireSent = ({ sentTo }: SourceKind, settings: Content, secrets: Content, typed: Content): void => {
  const address = sentTo && typed[sentTo.setting];
  if (!sentTo || address === undefined || address === '' || address === settings[sentTo.setting]) return;
  const kept = sentTo.secrets.filter((name) => secrets[name] !== undefined && typed[name] === undefined);
  if (kept.length === 0) return;
  const message = `with another ${sentTo.setting}, enter ${kept.join(' and ')} again: they are sent there`;
  throw new ActionRefused('invalid', message);
};

/** Changes label, settings and secrets. Throws a ZodError that names every value that is wrong, and an ActionRefused. */
export const changeSource = (
  pool: Pool | PoolClient,
  secretsKeys: SecretsKeys,
  { actor, label: typedLabel, content: typed, ...wanted }: SourceChanges,
): Promise<{ readonly id: number; readonly label: string }> =>
  transaction(pool, async (tx) => {
    const source = await lock(tx, wanted);
    const { id, accountId } = source;
    const kind = requireKind(source.kind);
    const { label } = labelSchema.parse({ label: typedLabel ?? source.label });
    const before = openedSecrets(secretsKeys, source);
    const settingsBefore = contentSchema.parse(source.settings);
    requireSent(kind, settingsBefore, before.own, typed);
    const merged = Object.entries({ ...settingsBefore, ...before.own, ...typed }).filter(([, value]) => value !== '');
    const { settings, secrets: own } = kind.parse(Object.fromEntries(merged));
    const after = rotated(before, own, Date.now());
    const changed = Object.keys(typed).filter(
      (name) => !isDeepStrictEqual({ ...settingsBefore, ...before.own }[name], { ...settings, ...own }[name]),
    );
    const encrypted = encryptSecrets(secretsKeys, source, after);
    await save(tx, [id, accountId, label, JSON.stringify(settings), encrypted, changed.length > 0]);
    if (changed.length > 0 && source.state === 'needs_attention') await retryNow(tx, [id]);
    const details = { ...(label !== source.label && { label: { before: source.label, after: label } }), changed };
    await audit(tx, { actor, action: 'source.change', accountId, target: `source ${id}`, details });
    return { id, label };
  });

/**
 * Makes a new secret that signs; the one before signs for one more day. Throws an ActionRefused if the other side makes the
 * secrets of this kind.
 */
export const rotateSourceSecret = async (
  pool: Pool | PoolClient,
  secretsKeys: SecretsKeys,
  { actor, ...wanted }: WantedSource & { readonly actor: string },
): Promise<{ readonly secret: string; readonly earlierUntil: Date }> => {
  const { kind } = await findStoredSource(pool, wanted);
  const secret = requireKind(kind).newSecret?.();
  if (secret === undefined) throw new ActionRefused('invalid', 'the other side makes the secret of this source');
  await changeSource(pool, secretsKeys, { actor, ...wanted, content: { secret } });
  return { secret, earlierUntil: new Date(Date.now() + overlapMs) };
};

const saveUrl = statement<{ until: Date }>(
  `update source
   set earlier_path_hash = path_hash, earlier_path_until = now() + $5::int * interval '1 millisecond', path_hash = $3, secrets = $4
   where id = $1 and account_id = $2
   returning earlier_path_until as until`,
);

/** Makes a new URL, such as for a kind that does not sign; the one before works for one more day, and any before that no more. */
export const renewSourceUrl = (
  pool: Pool | PoolClient,
  secretsKeys: SecretsKeys,
  { actor, ...wanted }: WantedSource & { readonly actor: string },
): Promise<{ readonly path: string; readonly earlierUntil: Date }> =>
  transaction(pool, async (tx) => {
    const source = await lock(tx, wanted);
    const { id, accountId } = source;
    const path = newPath();
    const secrets = encryptSecrets(secretsKeys, source, { ...openedSecrets(secretsKeys, source), path });
    const [saved] = await saveUrl(tx, [id, accountId, pathHashOf(path), secrets, overlapMs]);
    if (!saved) throw missing(id);
    const details = { changed: ['url'] };
    await audit(tx, { actor, action: 'source.change', accountId, target: `source ${id}`, details });
    return { path, earlierUntil: saved.until };
  });

const setState = statement(
  `update source
   set state = $3, state_reason = null, state_since = now(), refused_count = 0, refused_since = null, refused_at = null
   where id = $1 and account_id = $2`,
);

const countWaiting = statement<{ waiting: number }>(
  'select count(*)::int as waiting from source_event where source_id = $1 and finished_at is null',
);

/** What a source is now. */
interface SwitchedSource {
  readonly state: SourceState;
  /** How many events wait, or are worked on now. */
  readonly waiting: number;
}

const switchTo =
  (state: 'active' | 'paused', action: string) =>
  (pool: Pool | PoolClient, { actor, ...wanted }: WantedSource & { readonly actor: string }): Promise<SwitchedSource> =>
    transaction(pool, async (tx) => {
      const { id, accountId } = await lock(tx, wanted);
      await setState(tx, [id, accountId, state]);
      if (state === 'active') await retryNow(tx, [id]);
      await audit(tx, { actor, action, accountId, target: `source ${id}` });
      const [{ waiting } = { waiting: 0 }] = await countWaiting(tx, [id]);
      return { state, waiting };
    });

/** What arrives is kept, and waits until the source is resumed. */
export const pauseSource = switchTo('paused', 'source.pause');

/** Works on what has waited. */
export const resumeSource = switchTo('active', 'source.resume');

const markDeleted = statement(
  `update source set deleted_at = now(), state = 'paused', state_reason = null, settings = '{}', secrets = $3
   where id = $1 and account_id = $2`,
);

const emptySome = statement(
  `update source_event
   set content = null, fetched = null, person_hashes = null, finished_at = coalesce(finished_at, clock_timestamp()),
       outcome = coalesce(outcome, 'ignored'), reason = coalesce(reason, 'source-deleted')
   where id = any(array(
     select id from source_event where source_id = $1 and (content is not null or finished_at is null) limit 1000))
   returning 1`,
);

/**
 * Deletes a source with its secrets and all that it was sent; the sales stay. Its URL then gets 404, for ever. If it is
 * interrupted, what is left is deleted after 30 days, and nobody can read it.
 */
export const deleteSource = async (
  pool: Pool,
  secretsKeys: SecretsKeys,
  { actor, ...wanted }: WantedSource & { readonly actor: string },
): Promise<void> => {
  const id = await transaction(pool, async (tx) => {
    const source = await lock(tx, wanted);
    const nothing = encryptSecrets(secretsKeys, source, { path: '', own: {}, earlier: [] });
    await markDeleted(tx, [source.id, source.accountId, nothing]);
    const details = { kind: source.kind, label: source.label };
    const { accountId } = source;
    await audit(tx, { actor, action: 'source.delete', accountId, target: `source ${source.id}`, details });
    return source.id;
  });
  while ((await emptySome(pool, [id])).length > 0);
};

const requeue = statement(
  `with again as (
     update source_event
     set finished_at = null, outcome = null, reason = null, message = null, failures = 0, due_at = clock_timestamp(),
         needs_fetch = fetched is not null, fetched = null
     where source_id = $1 and finished_at is not null and content is not null
       and outcome in ('failed', 'ignored', 'without-click') and received_at >= coalesce($2::timestamptz, '-infinity')
     returning 1
   ) select count(*)::int as events from again`,
);

/**
 * Works again on what came to nothing and is still kept: what failed, was ignored, or had no click. Sales are not counted twice.
 * Returns how many events wait for it.
 */
export const replaySource = (
  pool: Pool | PoolClient,
  { actor, since, ...wanted }: WantedSource & { readonly actor: string; readonly since?: string | undefined },
): Promise<number> =>
  transaction(pool, async (tx) => {
    const { id, accountId } = await lock(tx, wanted);
    const rows = await requeue(tx, [id, since ?? null]);
    const events = z.tuple([z.object({ events: z.number() })]).parse(rows)[0].events;
    const details = { since: since ?? null, events };
    await audit(tx, { actor, action: 'source.replay', accountId, target: `source ${id}`, details });
    return events;
  });
