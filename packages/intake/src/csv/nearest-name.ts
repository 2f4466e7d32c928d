// Levenshtein distance, row by row
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const lettersMax = 64;

/** The known name that a misspelled one most likely stands for: at most a third of its letters differ. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const sought = plain(name).slice(0, lettersMax);
  const [best] = known
    .map((one) => ({ one, apart: distance(sought, plain(one)) }))
    .filter(({ one, apart }) => apart <= plain(one).length / 3)
    .toSorted((a, b) => a.apart - b.apart);
  return best?.one;
};
