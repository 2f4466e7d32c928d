const pairsOf = (name: string): string[] => {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return Array.from(letters.slice(1), (letter, index) => `${letters[index]}${letter}`);
};

/** Sørensen-Dice: the share of pairs of letters that both have, from 0 to 1. Cases and separators do not count. */
const similarity = (one: string, other: string): number => {
  const [mine, theirs] = [pairsOf(one), pairsOf(other)];
  const rest = [...theirs];
  const both = mine.filter((pair) => {
    const at = rest.indexOf(pair);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return both.length === 0 ? 0 : (2 * both.length) / (mine.length + theirs.length);
};

/** The known name that is most similar, if any has something in common: `phone` → `phoneNumber`, not `name`. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const ranked = known.map((one) => ({ one, score: similarity(name, one) })).filter(({ score }) => score > 0);
  return ranked.toSorted((a, b) => b.score - a.score)[0]?.one;
};
