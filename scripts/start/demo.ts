import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hiddenFieldsIn } from '@leadback/local-stack';
import { z } from 'zod';
import { logFolder } from './data-folder.ts';
import type { DemoAccount } from './demo-account.ts';
import { type DemoWebhook, shopWasTold } from './demo-webhook.ts';

export interface DemoSurroundings {
  readonly apiUrl: string;
  readonly sandboxUrl: string;
  readonly demo: DemoAccount;
  /** Of the shop, which is then told. */
  readonly webhook?: DemoWebhook;
  readonly say: (text: string) => void;
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const feedbackMaxMs = 90_000;

const sandboxEvents = z.array(z.object({ platform: z.string(), event: z.record(z.string(), z.unknown()) }));
const conversionSchema = z.object({
  id: z.number(),
  clientId: z.number(),
  leadId: z.number(),
  amount: z.number(),
  currency: z.string(),
});
const reportMaxMs = 30_000;

/** Waits at most 30 s until the shop has registered the conversion in the background. */
const registered = async (
  { apiUrl, demo }: Pick<DemoSurroundings, 'apiUrl' | 'demo'>,
  order: string,
  until = Date.now() + reportMaxMs,
): Promise<z.infer<typeof conversionSchema>> => {
  const url = `${apiUrl}/client/conversion?externalReference=${order}`;
  const response = await fetch(url, { headers: { 'x-api-key': demo.apiKey } });
  if (response.ok) return conversionSchema.parse(await response.json());
  const shopLog = join(logFolder, 'shop.log');
  if (Date.now() > until) throw new Error(`the shop has not registered its ${order}. See ${shopLog}`);
  await pause(50);
  return registered({ apiUrl, demo }, order, until);
};

/** Opens a landing page and submits its form like a browser; returns the response. */
const submitPage = async (address: string): Promise<Response> => {
  const headers = { 'user-agent': browser };
  const shown = await fetch(address, { headers });
  const body = new URLSearchParams(hiddenFieldsIn(await shown.text()));
  return fetch(address, { method: 'POST', redirect: 'manual', headers, body });
};

/** Signs up at the target page and buys, like a browser; returns the number of the order. */
const buy = async (target: string, email: string): Promise<string> => {
  const submit = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(new URL(path, target), { method: 'POST', body: new URLSearchParams(fields) });
    return response.text();
  };
  const offer = await (await fetch(target)).text();
  const welcome = await submit('/sign-up', { ...hiddenFieldsIn(offer), email });
  const thanks = await submit('/buy', hiddenFieldsIn(welcome));
  const [, order] = /\/orders\/([\w-]+)/.exec(thanks) ?? [];
  if (order === undefined) throw new Error(`the shop at ${target} has no order`);
  return order;
};

/** Waits at most 90 s until the event has arrived at every platform, and prints each. */
const feedbackArrived = async (
  { sandboxUrl, say }: DemoSurroundings,
  eventId: string,
  platforms: readonly string[],
): Promise<void> => {
  const missing = new Set(platforms);
  const until = Date.now() + feedbackMaxMs;
  while (missing.size > 0) {
    if (Date.now() > until)
      throw new Error(
        `no delivery to ${[...missing].join(' and ')} within ${feedbackMaxMs / 1_000} s. See the logs in ${logFolder}`,
      );
    const events = sandboxEvents.parse(await (await fetch(`${sandboxUrl}/events`)).json());
    for (const { platform, event } of events) {
      if ((event.event_id ?? event.transactionId) !== eventId || !missing.delete(platform)) continue;
      say(`  feedback     ${platform} has received the conversion (event ${eventId})`);
    }
    if (missing.size > 0) await pause(100);
  }
};

/** The conversion of a visitor, and the number of the order. */
export interface Carried {
  readonly id: number;
  readonly order: string;
}

/** Takes one visitor from the click to the deliveries to Meta and Google, and prints each step. */
export const carryVisitorThrough = async (around: DemoSurroundings): Promise<Carried> => {
  const { demo, say } = around;
  const unique = randomBytes(4).toString('hex');
  const clicked = `${demo.landingPage}?gclid=demo-gclid-${unique}&fbclid=demo-fbclid-${unique}&utm_campaign=demo`;
  say(`  click        ${clicked}`);
  const response = await submitPage(clicked);
  const target = response.headers.get('location') ?? '';
  say(`  lead         redirected to ${target}`);
  const order = await buy(target, `${unique}@example.com`);
  const { id, clientId, leadId, amount, currency } = await registered(around, order);
  say(`  client       ${clientId} registered by the shop with that lead reference`);
  say(`  conversion   ${id} of lead ${leadId}: ${currency} ${amount}`);
  const platforms = ['meta', 'google'];
  await feedbackArrived(around, order, platforms);
  const api = { apiUrl: around.apiUrl, apiKey: demo.apiKey };
  if (around.webhook) await shopWasTold(api, around.webhook, { conversionId: id, platforms }, say);
  return { id, order };
};
