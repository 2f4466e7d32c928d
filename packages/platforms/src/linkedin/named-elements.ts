interface NamedElement {
  readonly index: number;
  readonly words: string;
}

const line = /^Index: (\d+), ERROR :: (.+)$/gm;

/**
 * The elements that the message of a batch names, each once and with its first error, as in
 * `Index: 3, ERROR :: /user/userIds :: field is required`. Compared only at the beginning of a line: the rest may quote
 * what was sent, which has no line breaks. `sent`: the number of elements.
 */
export const namedElements = (message: string, sent: number): NamedElement[] => {
  const words = new Map<number, string>();
  for (const [, digits, error = ''] of message.matchAll(line)) {
    const index = Number(digits);
    if (index < sent && !words.has(index)) words.set(index, error);
  }
  return Array.from(words, ([index, error]) => ({ index, words: error }));
};
