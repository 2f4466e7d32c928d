import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

interface Api {
  readonly apiUrl: string;
  readonly apiKey: string;
}

export interface DemoWebhook {
  readonly id: number;
  /** With which the shop verifies what it is told. */
  readonly secret: string;
}

const listSchema = z.object({ items: z.array(z.object({ id: z.number(), url: z.string() })) });
const secretSchema = z.object({ id: z.number(), secret: z.string() });
const toldSchema = z.object({
  items: z.array(
    z.object({ type: z.string(), data: z.object({ conversionId: z.number(), platform: z.string() }).partial() }),
  ),
});

const call = async ({ apiUrl, apiKey }: Api, method: string, path: string, body?: object): Promise<unknown> => {
  const headers = { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(apiUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const reply: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(reply)}`);
  return reply;
};

/** Registers the webhook of the shop, or resumes the one of an earlier start with a new secret. */
export const demoWebhook = async (api: Api, url: string): Promise<DemoWebhook> => {
  const events = ['feedback.delivered', 'feedback.failed', 'feedback.skipped', 'connection.needs_attention'];
  const { items } = listSchema.parse(await call(api, 'GET', '/webhook'));
  const earlier = items.find((webhook) => webhook.url === url);
  if (!earlier) return secretSchema.parse(await call(api, 'POST', '/webhook', { url, events }));
  await call(api, 'PATCH', `/webhook/${earlier.id}`, { events, state: 'active' });
  return secretSchema.parse(await call(api, 'POST', `/webhook/${earlier.id}/secret`));
};

const toldMaxMs = 60_000;

/** Waits at most 60 s until the shop was told of the deliveries of a conversion to platforms, and prints each. */
export const shopWasTold = async (
  api: Api,
  { id }: Pick<DemoWebhook, 'id'>,
  { conversionId, platforms }: { readonly conversionId: number; readonly platforms: readonly string[] },
  say: (text: string) => void,
): Promise<void> => {
  const missing = new Set(platforms);
  for (const until = Date.now() + toldMaxMs; missing.size > 0; await pause(100)) {
    if (Date.now() > until) throw new Error(`the shop was not told of ${[...missing].join(' and ')}`);
    const { items } = toldSchema.parse(await call(api, 'GET', `/webhook/${id}/deliveries?state=delivered`));
    for (const { type, data } of items) {
      if (data.conversionId !== conversionId || data.platform === undefined || !missing.delete(data.platform)) continue;
      say(`  webhook      the shop was told: ${type} (${data.platform})`);
    }
  }
};
