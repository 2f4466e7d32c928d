import { givenAccount, givenApiKey, givenClient, givenConnection, unique } from '@leadback/testing';
import { z } from 'zod';
import type { TestApi } from './given-api.ts';

const batchSchema = z.object({
  results: z.array(
    z.object({
      index: z.number(),
      outcome: z.string(),
      id: z.number().optional(),
      leadId: z.number().optional(),
      code: z.string().optional(),
      message: z.string().optional(),
    }),
  ),
  counts: z.record(z.string(), z.number()),
  dryRun: z.boolean(),
});

export type BatchResult = z.infer<typeof batchSchema>;

interface SendOptions {
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

/** An order of the client `C1`. */
export const order = (change: object = {}) => ({
  amount: 10,
  currency: 'USD',
  clientExternalReference: 'C1',
  conversionExternalReference: unique('order'),
  ...change,
});

/** A partner with a client `C1`, a connection, and what it needs to send batches. */
export const givenBatchPartner = async (
  api: TestApi,
  { isTest = false, rateLimit = 1_000_000 }: { isTest?: boolean; rateLimit?: number } = {},
) => {
  const em = api.database.em();
  const account = await givenAccount(em, { rateLimit });
  const client = await givenClient(em, { account, externalReference: 'C1', email: 'ana@x.example', isTest });
  const { reference: leadReference } = await client.lead.loadOrFail();
  await givenConnection(em, { account });
  const key = await givenApiKey(em, { account, isTest });
  const post = (path: string, items: unknown, { query = '', headers = {} }: SendOptions = {}) =>
    api.send('POST', `/api/v1${path}/batch${query}`, { key, headers, body: { items } });
  const accepted = async (path: string, items: unknown, options?: SendOptions): Promise<BatchResult> => {
    const reply = await post(path, items, options);
    if (reply.status !== 200) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
    return batchSchema.parse(reply.body);
  };
  return {
    account,
    client,
    leadReference,
    key,
    postConversions: (items: unknown, options?: SendOptions) => post('/client/conversion', items, options),
    clients: (items: unknown, options?: SendOptions) => accepted('/client', items, options),
    conversions: (items: unknown, options?: SendOptions) => accepted('/client/conversion', items, options),
    send: (path: string, body: unknown) => api.send('POST', `/api/v1${path}`, { key, body }),
  };
};

/** A result; `message` may be a matcher. */
export const refused = (code: string, message: unknown) => ({ outcome: 'refused', code, message });

/** The outcomes of a batch, in order. */
export const outcomesOf = ({ results }: BatchResult): string[] => results.map(({ outcome }) => outcome);
