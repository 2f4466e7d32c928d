/** One of what there is now. */
export const chosen = <Item>(items: readonly Item[], number: number): Item | undefined => items[number % items.length];

export const sorted = (ids: Iterable<number>): string => [...ids].toSorted((one, other) => one - other).join();
