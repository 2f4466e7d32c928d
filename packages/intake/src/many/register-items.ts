import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidFields, Refusal, type RefusalCode } from '@leadback/domain';
import type { z } from 'zod';
import { lost, type Tried } from '../run-once.ts';

/** An item that breaks a rule of the API, with the code and the message of a single call. */
export interface RefusedItem {
  readonly outcome: 'refused';
  readonly code: RefusalCode;
  readonly message: string;
}

interface Pending<Item> {
  readonly index: number;
  readonly item: Item;
}

export interface ItemRegistration<Input, Item, Result, Outcome> {
  readonly schema: z.ZodType<Input>;
  readonly itemOf: (input: Input, index: number) => Item;
  /** What only one item can have. Of several items with the same name, the first one runs before the others. */
  readonly namesOf: (item: Item) => readonly string[];
  /** Must return one result per item, in order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Tried<Result>[]>;
  /** The item as it is tried again after `lost`. */
  readonly secondTry: (item: Item) => Item;
  readonly outcomeOf: (result: Result, item: Item) => Outcome | Refusal;
}

// some milliseconds of work; other requests are served in between
const parsedAtOnce = 100;

/**
 * Parses items, each by itself, and runs the valid ones together; those that are lost run again, together. Returns one
 * outcome per item, in order.
 */
export const registerItems = async <Input, Item, Result, Outcome>(
  items: readonly unknown[],
  { schema, itemOf, namesOf, run, secondTry, outcomeOf }: ItemRegistration<Input, Item, Result, Outcome>,
): Promise<(Outcome | RefusedItem)[]> => {
  const outcomes = new Map<number, Outcome | RefusedItem>();
  const settle = (index: number, outcome: Outcome | Refusal): void => {
    if (!(outcome instanceof Refusal)) outcomes.set(index, outcome);
    else outcomes.set(index, { outcome: 'refused', code: outcome.code, message: outcome.message });
  };

  const taken = new Set<string>();
  const first: Pending<Item>[] = [];
  const later: Pending<Item>[] = [];
  for (const [index, sent] of items.entries()) {
    if (index > 0 && index % parsedAtOnce === 0) await nextTurn();
    const { data, error } = schema.safeParse(sent);
    if (error) {
      settle(index, invalidFields(error, 'item'));
      continue;
    }
    const item = itemOf(data, index);
    const names = namesOf(item);
    (names.some((name) => taken.has(name)) ? later : first).push({ index, item });
    for (const name of names) taken.add(name);
  }

  for (const waiting = later; first.length > 0 || waiting.length > 0; ) {
    const group = first.length > 0 ? first.splice(0) : waiting.splice(0);
    const results = await run(group.map(({ item }) => item));
    for (const [place, { index, item }] of group.entries()) {
      const result = results[place];
      if (result === undefined) throw new Error('run returned fewer results than items');
      if (result === lost) waiting.push({ index, item: secondTry(item) });
      else settle(index, outcomeOf(result, item));
    }
  }
  return items.map((_, index) => {
    const outcome = outcomes.get(index);
    if (outcome === undefined) throw new Error('an item has no outcome');
    return outcome;
  });
};
