import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidFields, Refusal, type RefusalCode } from '@leadback/domain';
import type { z } from 'zod';
import { lost, type Tried } from '../once.ts';
import { nextRound } from './next-round.ts';

/** An item that breaks a rule of the API, with the code and the message of a single call. */
export interface RefusedItem {
  readonly outcome: 'refused';
  readonly code: RefusalCode;
  readonly message: string;
}

export const refusedItem = ({ code, message }: Refusal): RefusedItem => ({ outcome: 'refused', code, message });

export interface ItemRegistration<Input, Item, Result, Outcome> {
  readonly schema: z.ZodType<Input>;
  readonly itemOf: (input: Input, index: number) => Item;
  /** What only one item can have. Of several items with the same name, the first one that is not refused has it. */
  readonly namesOf: (item: Item) => readonly string[];
  /** Must return one result per item, in order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Tried<Result>[]>;
  /** The item as it is tried again after `lost`. */
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
export const registerItems = async <Input, Item, Result, Outcome>(
  items: readonly unknown[],
  { schema, itemOf, namesOf, run, secondTry, outcomeOf }: ItemRegistration<Input, Item, Result, Outcome>,
): Promise<(Outcome | RefusedItem)[]> => {
  const outcomes = new Map<number, Outcome | RefusedItem>();
  const refuse = (index: number, refusal: Refusal) => outcomes.set(index, refusedItem(refusal));

  const waiting = new Map<number, Item>();
  for (const [index, sent] of items.entries()) {
    if (index > 0 && index % parsedAtOnce === 0) await nextTurn();
    const { data, error } = schema.safeParse(sent);
    if (error) refuse(index, invalidFields(error, 'item'));
    else waiting.set(index, itemOf(data, index));
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
      if (result === lost) {
        waiting.set(index, secondTry(item));
        continue;
      }
      waiting.delete(index);
      const outcome = outcomeOf(result, item);
      if (outcome instanceof Refusal) {
        refuse(index, outcome);
        continue;
      }
      outcomes.set(index, outcome);
      for (const name of namesOf(item)) owned.add(name);
    }
  }
  return items.map((_, index) => {
    const outcome = outcomes.get(index);
    if (outcome === undefined) throw new Error('an item has no outcome');
    return outcome;
  });
};
