/** Limits of one request of the API. */
const itemsMax = 500;
const bytesMax = 1024 * 1024;

const envelopeBytes = '{"items":[]}'.length;

/** Splits items into bodies that the API accepts, in order. An item that is too large alone gets a body of its own. */
const batchBodies = (items: readonly unknown[]): { readonly body: string; readonly start: number }[] => {
  const encoder = new TextEncoder();
  const bodies: { texts: string[]; start: number; bytes: number }[] = [];
  for (const [start, item] of items.entries()) {
    const text = JSON.stringify(item) ?? 'null';
    const bytes = encoder.encode(text).length + 1;
    const last = bodies.at(-1);
    if (last && last.texts.length < itemsMax && last.bytes + bytes <= bytesMax) {
      last.texts.push(text);
      last.bytes += bytes;
    } else {
      bodies.push({ texts: [text], start, bytes: envelopeBytes + bytes });
    }
  }
  return bodies.map(({ texts, start }) => ({ body: `{"items":[${texts.join()}]}`, start }));
};

interface BatchReply<Result extends { readonly index: number }, Outcome extends string> {
  readonly results: readonly Result[];
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly dryRun: boolean;
}

/** Sends items in as many requests as they need, one after the other, and joins the replies. */
export const sendInBatches = async <Result extends { readonly index: number }, Outcome extends string>(
  items: readonly unknown[],
  none: BatchReply<Result, Outcome>,
  send: (body: string) => Promise<BatchReply<Result, Outcome>>,
): Promise<BatchReply<Result, Outcome>> => {
  const results: Result[] = [];
  const counts: Record<Outcome, number> = { ...none.counts };
  for (const { body, start } of batchBodies(items)) {
    const reply = await send(body);
    // indexes of the API count from the start of each request
    results.push(...reply.results.map((result) => ({ ...result, index: start + result.index })));
    for (const outcome in reply.counts) counts[outcome] = (counts[outcome] ?? 0) + reply.counts[outcome];
  }
  return { ...none, results, counts };
};
