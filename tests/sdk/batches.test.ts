import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenSdk, languages } from './languages.ts';
import { givenScriptedApi } from './scripted-api.ts';

const itemsSchema = z.object({ items: z.array(z.object({ name: z.string() })) });

/** Responds to each batch with one result per item: `created`, or `refused` for a name that says so. */
const givenBatchApi = () =>
  givenScriptedApi((request, index) => {
    if (index === 0) return { status: 503, headers: { 'retry-after': '1' }, body: { message: 'unavailable' } };
    const results = itemsSchema.parse(JSON.parse(request.text)).items.map(({ name }, position) => ({
      index: position,
      outcome: name.startsWith('refuse') ? 'refused' : 'created',
    }));
    const refused = results.filter(({ outcome }) => outcome === 'refused').length;
    const counts = { created: results.length - refused, existing: 0, refused };
    return { status: 200, headers: {}, body: { results, counts, dryRun: false } };
  });

const register = async (language: (typeof languages)[number], items: readonly { name: string }[]) => {
  await using api = await givenBatchApi();
  await using sdk = givenSdk(language);
  const outcome = await sdk.call({
    call: 'registerClients',
    arguments: [items],
    options: { baseUrl: `${api.url}/api/v1` },
  });
  const batches = api.requests.map(({ text }) => itemsSchema.parse(JSON.parse(text)).items.length);
  const bytes = api.requests.map(({ text }) => Buffer.byteLength(text));
  return { outcome, batches, bytes, keys: api.requests.map(({ headers }) => headers['idempotency-key']) };
};

describe.each(languages)('the SDK for $language', (language) => {
  it.concurrent('sends at most 500 items in a request, retries one with its own key and joins the results', async () => {
    const items = Array.from({ length: 1_001 }, (_, index) => ({ name: index === 700 ? 'refuse' : `client ${index}` }));
    const { outcome, batches, keys } = await register(language, items);
    expect(batches).toEqual([500, 500, 500, 1]);
    const results = items.map(({ name }, index) => ({ index, outcome: name === 'refuse' ? 'refused' : 'created' }));
    expect(outcome).toEqual({
      result: { results, counts: { created: 1_000, existing: 0, refused: 1 }, dryRun: false },
    });
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(3);
  });

  it.concurrent('sends at most 1 MiB in a request, in bytes of UTF-8', async () => {
    const items = Array.from({ length: 10 }, () => ({ name: 'ü'.repeat(100_000) }));
    const { outcome, bytes, batches } = await register(language, items);
    expect(outcome).toMatchObject({ result: { counts: { created: 10 } } });
    expect(Math.max(...bytes)).toBeLessThanOrEqual(1024 * 1024);
    expect(batches.slice(1).reduce((sum, count) => sum + count)).toBe(10);
  });

  it.concurrent('sends an item that is too large for a request alone', async () => {
    const items = [{ name: 'first' }, { name: 'x'.repeat(1_100_000) }, { name: 'last' }];
    const { batches } = await register(language, items);
    expect(batches).toEqual([1, 1, 1, 1]);
  });
});
