interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** Yields the items of all pages; requests a page when the one before is used up. A page may be empty. */
export const eachItem = async function* <Item>(
  read: (after: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let after: string | undefined;
  do {
    const page = await read(after);
    yield* page.items;
    after = page.next ?? undefined;
  } while (after !== undefined);
};
