/**
 * Selects the items that can run together: an item waits while an earlier one may get the same name. Names in `owned`
 * are taken for good, so that nobody has to wait for them.
 */
export const nextRound = <Item>(
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
