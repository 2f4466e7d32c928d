/** A page of a list that is read by descending ids; a page that is not full is the last one. */
export const pageOf = <Found extends { readonly id: number }, Item>(
  found: readonly Found[],
  limit: number,
  describe: (one: Found) => Item,
) => ({
  items: found.map((one) => describe(one)),
  next: found.length === limit ? (found.at(-1)?.id ?? null) : null,
});
