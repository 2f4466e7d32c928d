import type { Answered } from '@leadback/intake';

/** A registrar for requests without an idempotency key, which always have a result. */
export const unkeyed =
  <Item, Result>(register: (request: { item: Item }) => Promise<Answered<Result>>) =>
  async (item: Item): Promise<Result> => {
    const answered = await register({ item });
    if (answered.kind !== 'answered') throw new Error(`expected a result, not ${answered.kind}`);
    return answered.result;
  };
