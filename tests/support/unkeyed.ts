import type { Answered } from '@leadback/db';

/** A registrar for requests that carry no idempotency key, which are always answered. */
export const unkeyed =
  <Item, Result>(register: (request: { item: Item }) => Promise<Answered<Result>>) =>
  async (item: Item): Promise<Result> => {
    const answered = await register({ item });
    if (answered.kind !== 'answered') throw new Error(`expected an answer, not ${answered.kind}`);
    return answered.result;
  };
