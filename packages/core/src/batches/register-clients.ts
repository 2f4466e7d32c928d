import { type AccountMode, Refusal, strictSchema } from '@leadback/domain';
import type { Contacts, Queryable } from '@leadback/db';
import type { Keys } from '@leadback/domain/keys';
import type { NewClient } from '../clients/insert-clients.ts';
import type { NewParcel } from '../delivery/enqueue.ts';
import { clientIdempotence, clientSchema, newClient, refusalOfClient } from '../clients/new-client.ts';
import { onceWithin, type Requested } from '../once.ts';
import { type RefusedItem, registerItems } from './register-items.ts';

export type ClientOutcome =
  | {
      readonly outcome: 'created' | 'existing';
      readonly id: number;
      /** Of the lead of a new client, if it is traced. */
      readonly traceParent: string | undefined;
      /** Whether an earlier batch with the same idempotency key did it. */
      readonly isRepeated: boolean;
    }
  | RefusedItem;

export interface ClientsOptions {
  readonly referenceKeys: Keys;
  readonly contacts: Contacts;
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
  const runOnce = onceWithin(clientIdempotence('client batch', contacts, (added) => parcels.push(...added)));
  const outcomes = await registerItems(items, {
    schema: mode.isTest ? strictSchema(clientSchema) : clientSchema,
    itemOf: (input, index): Requested<NewClient> => ({ item: newClient(mode, input), idempotencyKey: keyOf(index) }),
    namesOf: ({ item: { externalReference } }) => (externalReference === undefined ? [] : [externalReference]),
    run: (requests) => runOnce(on, requests, (effect) => effect()),
    secondTry: ({ item, ...request }) => ({ ...request, item: { ...item, isSecondTry: true } }),
    outcomeOf(answer, { item }): ClientOutcome | Refusal {
      if (answer instanceof Refusal) return answer;
      const { result: client, isRepeated } = answer;
      if (!('id' in client)) {
        // one text for leads of other accounts and for missing ones, or it would tell that another account has a lead
        const refused = client.kind === 'lead-unknown' ? ({ kind: 'lead-missing' } as const) : client;
        return refusalOfClient(refused, item, referenceKeys) ?? new Refusal('lead-unknown.recent');
      }
      const { kind, id, traceParent } = client;
      return { outcome: kind === 'known' ? 'existing' : 'created', id, traceParent, isRepeated };
    },
  });
  return { outcomes, parcels };
};
