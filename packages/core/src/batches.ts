import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  invalidFields,
  Refusal,
  type RefusalCode,
  type AccountId,
  type AccountMode,
  strictSchema,
  type Currency,
  unknownFieldWarnings,
  type Warning,
} from '@leadback/domain';
import type { z } from 'zod';
import {
  afterCommit,
  failureScopeOf,
  transaction,
  rolledBack,
  isDataError,
  type Pool,
  type PoolClient,
  type Queryable,
  type ContactCipher,
} from '@leadback/db';
import { batch } from '@leadback/db/batch';
import type { Keys } from '@leadback/domain/keys';
import type { RegistrarOptions } from './registering.ts';
import { tryAgain, type Tried, onceWithin, type Requested } from './once.ts';
import {
  type NewClient,
  clientIdempotence,
  clientSchema,
  newClient,
  clientOrRefusal,
  sentClientWarnings,
} from './clients/register.ts';
import type { NewParcel } from './delivery/enqueue.ts';
import { insertConversions } from './conversions/buyers.ts';
import type { InsertedConversion, NewConversion } from './conversions/insert.ts';
import {
  conversionItemSchema,
  newConversion,
  refusalOfConversion,
  sentConversionWarnings,
} from './conversions/register.ts';
import { differsMessage } from './conversions/compare.ts';

/**
 * Selects the items that can run together: an item waits while an earlier one may get the same name. Names in `owned`
 * are taken for good, so that nobody has to wait for them.
 */
const nextRound = <Item>(
  waiting: ReadonlyMap<number, Item>,
  namesOf: (item: Item) => readonly string[],
  owned: ReadonlySet<string>,
): [number, Item][] => {
  const asked = new Set<string>();
  // a Map keeps the order of its first insertions
  return [...waiting].filter(([, item]) => {
    const names = namesOf(item).filter((name) => !owned.has(name));
    const isFirst = names.every((name) => !asked.has(name));
    for (const name of names) asked.add(name);
    return isFirst;
  });
};

/** An item that breaks a rule of the API, with the code and the message of a single call. */
interface RefusedItem {
  readonly outcome: 'refused';
  readonly code: RefusalCode;
  readonly message: string;
}

const refusedItem = ({ code, message }: Refusal): RefusedItem => ({ outcome: 'refused', code, message });

interface ItemOutcome {
  readonly outcome: 'created' | 'existing' | 'repeated' | 'differs' | 'refused';
  /** What was accepted, but not as sent. */
  readonly warnings?: readonly Warning[] | undefined;
}

interface ItemRegistration<Input, Item, Result, Outcome extends ItemOutcome> {
  readonly schema: z.ZodType<Input>;
  /** What shows in the input itself. */
  readonly warningsOf: (input: Input) => readonly Warning[];
  readonly itemOf: (input: Input, index: number) => Item;
  /** What only one item can have. Of several items with the same name, the first one that is not refused has it. */
  readonly namesOf: (item: Item) => readonly string[];
  /** Must return one result per item, in order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Tried<Result>[]>;
  /** The item as it is tried again after `tryAgain`. */
  readonly secondTry: (item: Item) => Item;
  readonly outcomeOf: (result: Result, item: Item) => Outcome | Refusal;
}

// some milliseconds of work; other requests are served in between
const parsedAtOnce = 100;
// each round is a statement, and other callers wait for all rounds of a batch
const roundsMax = 20;

/**
 * Parses items, each by itself, and runs the valid ones together: in one round, unless items have the same name or are
 * lost. An item that has waited for 20 items with its names is refused. Returns one outcome per item, in order.
 */
const registerItems = async <Input, Item, Result, Outcome extends ItemOutcome>(
  items: readonly unknown[],
  { schema, warningsOf, itemOf, namesOf, run, secondTry, outcomeOf }: ItemRegistration<Input, Item, Result, Outcome>,
): Promise<(Outcome | RefusedItem)[]> => {
  const outcomes = new Map<number, Outcome | RefusedItem>();
  const refuse = (index: number, refusal: Refusal) => outcomes.set(index, refusedItem(refusal));

  const waiting = new Map<number, Item>();
  const warned = new Map<number, readonly Warning[]>();
  for (const [index, sent] of items.entries()) {
    if (index > 0 && index % parsedAtOnce === 0) await nextTurn();
    const { data, error } = schema.safeParse(sent);
    if (error) refuse(index, invalidFields(error, 'item'));
    else {
      waiting.set(index, itemOf(data, index));
      warned.set(index, [...unknownFieldWarnings(schema, sent), ...warningsOf(data)]);
    }
  }

  const owned = new Set<string>();
  for (let rounds = 0; waiting.size > 0; rounds += 1) {
    const round = nextRound(waiting, namesOf, owned);
    if (rounds === roundsMax) {
      const last = new Set(round.map(([index]) => index));
      for (const index of [...waiting.keys()].filter((one) => !last.has(one))) {
        waiting.delete(index);
        refuse(index, new Refusal('invalid-fields.sameName'));
      }
    }
    const results = await run(round.map(([, item]) => item));
    for (const [place, [index, item]] of round.entries()) {
      const result = results[place];
      if (result === undefined) throw new Error('run returned fewer results than items');
      if (result === tryAgain) {
        waiting.set(index, secondTry(item));
        continue;
      }
      waiting.delete(index);
      const outcome = outcomeOf(result, item);
      if (outcome instanceof Refusal) {
        refuse(index, outcome);
        continue;
      }
      // a single call that is repeated or differs is refused, and then nothing was accepted
      const isAccepted = outcome.outcome === 'created' || outcome.outcome === 'existing';
      const warnings = [...(warned.get(index) ?? []), ...(outcome.warnings ?? [])];
      outcomes.set(index, isAccepted && warnings.length > 0 ? { ...outcome, warnings } : outcome);
      for (const name of namesOf(item)) owned.add(name);
    }
  }
  return items.map((_, index) => {
    const outcome = outcomes.get(index);
    if (outcome === undefined) throw new Error('an item has no outcome');
    return outcome;
  });
};

interface BatchOptions {
  /** Finds the outcomes and changes nothing. */
  readonly isDryRun: boolean;
}

interface BatchToRun extends BatchOptions {
  readonly accountId: AccountId;
  readonly items: readonly unknown[];
}

interface BatchRunnerOptions {
  /** Called with what PostgreSQL says about an item that it can never store. Must not throw. */
  readonly onRefused: (error: unknown) => void;
}

/** Registers a part of the items; `start` is the index of its first one. Must return one outcome per item, in order. */
type RegisterPart<Outcome> = (
  on: PoolClient,
  items: readonly unknown[],
  start: number,
) => Promise<readonly (Outcome | RefusedItem)[]>;

// a larger group holds its locks and its connection for longer, and saves little: a statement costs as much as 15 rows
const groupMax = 100;
// With two, single calls wait three times as long while several callers send batches.
const groupsAtOnce = 1;
// Batches take turns: with more of them, callers would wait for longer than for any other response. One account leaves
// room for others.
const batchesMax = 16;
const batchesOfAccountMax = 8;

const rethrowUnlessOfItem = (error: unknown): void => {
  if (failureScopeOf(error) !== 'item') throw error;
};

/**
 * Holds the turns of the batches in progress. Returns a function that registers the items of batches in groups, with one commit each. Groups of concurrent batches
 * take turns. An item that PostgreSQL can never store is refused as `internal`. A batch that fails has registered some
 * groups whole and nothing of the others; it may be sent again. Throws `overloaded` while 16 batches, or 8 of the account,
 * are in progress.
 */
const batchRunner = (pool: Pool, { onRefused }: BatchRunnerOptions) => {
  const inTurn = batch(
    async ([run]: readonly (() => Promise<void>)[]) => {
      await run?.();
      return [true];
    },
    { itemsMax: 1, runsMax: groupsAtOnce },
  );

  const inProgress: AccountId[] = [];
  const enter = (accountId: AccountId): Disposable => {
    const ofAccount = inProgress.filter((one) => one === accountId).length;
    if (inProgress.length >= batchesMax || ofAccount >= batchesOfAccountMax) throw new Refusal('overloaded');
    inProgress.push(accountId);
    return {
      [Symbol.dispose]() {
        inProgress.splice(inProgress.indexOf(accountId), 1);
      },
    };
  };

  const refusalAfter = (error: unknown): RefusedItem => {
    if (!isDataError(error)) throw error;
    onRefused(error);
    return refusedItem(new Refusal('internal'));
  };

  return async <Outcome>(
    { accountId, items, isDryRun }: BatchToRun,
    register: RegisterPart<Outcome>,
  ): Promise<(Outcome | RefusedItem)[]> => {
    using _place = enter(accountId);
    const outcomes: (Outcome | RefusedItem)[] = [];

    const commit = async (group: readonly unknown[], start: number): Promise<void> => {
      outcomes.push(...(await transaction(pool, (on) => register(on, group, start))));
    };
    const commitOrSplit = async (group: readonly unknown[], start: number): Promise<void> => {
      try {
        await commit(group, start);
      } catch (error) {
        rethrowUnlessOfItem(error);
        for (const [place, item] of group.entries()) {
          await commit([item], start + place).catch((reason) => outcomes.push(refusalAfter(reason)));
        }
      }
    };

    const tryAll = async (): Promise<void> => {
      // in one statement, in whose order transactions lock references: several could wait for each other
      outcomes.push(...(await rolledBack(pool, (on) => register(on, items, 0))));
    };
    const tryEach = () =>
      rolledBack(pool, async (on) => {
        for (const [index, item] of items.entries()) {
          await on.query('savepoint item');
          try {
            outcomes.push(...(await register(on, [item], index)));
          } catch (error) {
            outcomes.push(refusalAfter(error));
            await on.query('rollback to savepoint item');
          }
          await on.query('release savepoint item');
        }
      });

    if (isDryRun) {
      await inTurn(async () => {
        try {
          await tryAll();
        } catch (error) {
          rethrowUnlessOfItem(error);
          await tryEach();
        }
      });
      return outcomes;
    }
    for (let start = 0; start < items.length; start += groupMax) {
      await inTurn(() => commitOrSplit(items.slice(start, start + groupMax), start));
    }
    return outcomes;
  };
};

type ClientOutcome =
  | {
      readonly outcome: 'created' | 'existing';
      readonly id: number;
      /** Of the lead of a new client, if it is traced. */
      readonly traceParent: string | undefined;
      /** Whether an earlier batch with the same idempotency key did it. */
      readonly isRepeated: boolean;
      readonly warnings?: readonly Warning[] | undefined;
    }
  | RefusedItem;

interface ClientsOptions {
  readonly referenceKeys: Keys;
  readonly contacts: ContactCipher;
  /** The idempotency key of an item, by its index. Needs a transaction. Default: none. */
  readonly keyOf?: (index: number) => string | undefined;
}

/**
 * Registers clients as `clientRegistrar` does, through a pool or in a transaction. Returns one outcome per item, in
 * order; of several items with one external reference, the first one is created. Unlike a single call, it does not wait
 * for a lead that a landing app may hold: the item is refused, and may be sent again. Also returns the new parcels, to be
 * announced after the commit.
 */
export const registerClients = async (
  on: Queryable,
  mode: AccountMode,
  items: readonly unknown[],
  { referenceKeys, contacts, keyOf = () => undefined }: ClientsOptions,
): Promise<{ readonly outcomes: ClientOutcome[]; readonly parcels: NewParcel[] }> => {
  const parcels: NewParcel[] = [];
  const runOnce = onceWithin(clientIdempotence('client batch', contacts, (_, added) => parcels.push(...added)));
  const outcomes = await registerItems(items, {
    schema: mode.isTest ? strictSchema(clientSchema) : clientSchema,
    warningsOf: sentClientWarnings,
    itemOf: (input, index): Requested<NewClient> => ({ item: newClient(mode, input), idempotencyKey: keyOf(index) }),
    namesOf: ({ item: { externalReference } }) => (externalReference === undefined ? [] : [externalReference]),
    run: (requests) => runOnce(on, requests),
    secondTry: ({ item, ...request }) => ({ ...request, item: { ...item, isSecondTry: true } }),
    outcomeOf(answer, { item }): ClientOutcome | Refusal {
      if (answer instanceof Refusal) return answer;
      const { result, isRepeated } = answer;
      // one text for leads of other accounts and for missing ones, or it would tell that another account has a lead
      const judged = result.kind === 'lead-unknown' ? ({ kind: 'lead-missing' } as const) : result;
      const client = clientOrRefusal(judged, item, referenceKeys) ?? new Refusal('lead-unknown.recent');
      if (client instanceof Refusal) return client;
      const { outcome, ...registered } = client;
      return { ...registered, outcome: outcome === 'known' ? 'existing' : 'created', isRepeated };
    },
  });
  return { outcomes, parcels };
};

/**
 * Returns a function that registers clients in groups; see `registerClients`. With an idempotency key, each item has
 * its own: the key of the batch and its index.
 */
export const clientBatchRegistrar = (
  pool: Pool,
  {
    referenceKeys,
    contacts,
    announce,
    onRefused,
  }: RegistrarOptions & BatchRunnerOptions & { readonly referenceKeys: Keys },
) => {
  const run = batchRunner(pool, { onRefused });
  return (
    mode: AccountMode,
    items: readonly unknown[],
    { isDryRun }: BatchOptions,
    idempotencyKey?: string,
  ): Promise<ClientOutcome[]> => {
    const keyOf = (index: number) =>
      idempotencyKey === undefined || isDryRun ? undefined : `${idempotencyKey} ${index}`;
    const toRun = { accountId: mode.accountId, items, isDryRun };
    return run(toRun, async (on, group, start) => {
      const keyOfPart = (index: number) => keyOf(start + index);
      const options = { referenceKeys, contacts, keyOf: keyOfPart };
      const { outcomes, parcels } = await registerClients(on, mode, group, options);
      if (parcels.length > 0) afterCommit(on, () => announce(parcels));
      return outcomes;
    });
  };
};

interface RegisteredItem {
  readonly id: number;
  readonly leadId: number;
  readonly warnings?: readonly Warning[] | undefined;
}

export type ConversionOutcome =
  | (RegisteredItem & {
      readonly outcome: 'created';
      readonly currency: Currency;
      /** Of the lead, if it is traced. */
      readonly traceParent: string | undefined;
    })
  // `id`: of the first conversion with the reference
  | (RegisteredItem & { readonly outcome: 'repeated' })
  | (RegisteredItem & { readonly outcome: 'differs'; readonly message: string })
  | RefusedItem;

const outcomeOf = (result: InsertedConversion, conversion: NewConversion, referenceKeys: Keys | undefined) => {
  if (result.kind === 'created') {
    const { id, leadId, traceParent, warnings } = result;
    return { outcome: 'created' as const, id, leadId, currency: conversion.currency, traceParent, warnings };
  }
  if (result.kind !== 'repeated') return refusalOfConversion(result, conversion, referenceKeys);
  const registered = { id: result.firstId, leadId: result.leadId };
  return result.differs.length === 0
    ? { outcome: 'repeated' as const, ...registered }
    : { outcome: 'differs' as const, ...registered, message: differsMessage(result.differs) };
};

/**
 * Registers conversions as `conversionRegistrar` does, through a pool or in a transaction. Every item needs a
 * `conversionExternalReference`, and one with a buyer needs a transaction; of several items with one reference, the first one is created. Returns one outcome per
 * item, in order, and the new parcels, to be announced after the commit.
 */
export const registerConversions = async (
  on: Queryable,
  mode: AccountMode,
  items: readonly unknown[],
  { contacts, referenceKeys }: Pick<RegistrarOptions, 'contacts' | 'referenceKeys'>,
): Promise<{ readonly outcomes: ConversionOutcome[]; readonly parcels: NewParcel[] }> => {
  const parcels: NewParcel[] = [];
  const outcomes = await registerItems(items, {
    schema: mode.isTest ? strictSchema(conversionItemSchema) : conversionItemSchema,
    warningsOf: sentConversionWarnings,
    itemOf: (input) => newConversion(mode, input),
    namesOf: ({ externalReference, eventId = externalReference }) => [
      `reference ${externalReference}`,
      `event ${eventId}`,
    ],
    async run(conversions) {
      const { inserted, parcels: added } = await insertConversions(on, conversions, contacts);
      parcels.push(...added);
      return inserted;
    },
    secondTry: (conversion): NewConversion => ({ ...conversion, isSecondTry: true }),
    outcomeOf: (result, conversion) => outcomeOf(result, conversion, referenceKeys),
  });
  return { outcomes, parcels };
};

/** Returns a function that registers conversions in groups; see `registerConversions`. */
export const conversionBatchRegistrar = (
  pool: Pool,
  { contacts, referenceKeys, announce, ...options }: RegistrarOptions & BatchRunnerOptions,
) => {
  const run = batchRunner(pool, options);
  return (mode: AccountMode, items: readonly unknown[], { isDryRun }: BatchOptions): Promise<ConversionOutcome[]> => {
    const toRun = { accountId: mode.accountId, items, isDryRun };
    return run(toRun, async (on, group) => {
      const { outcomes, parcels } = await registerConversions(on, mode, group, { contacts, referenceKeys });
      if (parcels.length > 0) afterCommit(on, () => announce(parcels));
      return outcomes;
    });
  };
};
