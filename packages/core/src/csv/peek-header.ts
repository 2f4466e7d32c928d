const headerBytesMax = 16 * 1024;

export const lineEnd = /\r\n|\n|\r/;

/** Reads on until the header is whole. Returns it and the text from the beginning; a header that is too long is empty. */
export const peekHeader = async (text: AsyncGenerator<string>) => {
  for (let start = ''; ; ) {
    const end = start.search(lineEnd);
    if (end > headerBytesMax || (end === -1 && start.length > headerBytesMax)) return { header: '', start };
    if (end !== -1) return { header: start.slice(0, end), start };
    const next = await text.next();
    if (next.done) return { header: start, start };
    start += next.value;
  }
};
