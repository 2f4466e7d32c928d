import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { hiddenFieldsIn } from '@leadback/local-stack';
import { z } from 'zod';
import { logFolder } from './data-folder.ts';
import type { DemoAccount } from './demo-account.ts';

export interface DemoSurroundings {
  readonly apiUrl: string;
  readonly sandboxUrl: string;
  readonly demo: DemoAccount;
  readonly say: (text: string) => void;
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const feedbackMaxMs = 90_000;

const sandboxEvents = z.array(z.object({ platform: z.string(), event: z.record(z.string(), z.unknown()) }));
const client = z.object({ id: z.number() });
const conversion = z.object({ id: z.number(), leadId: z.number() });

const post = async (url: string, key: string, body: unknown): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${url} responded with ${response.status}: ${await response.text()}`);
  return response.json();
};

/** Opens a landing page and submits its form like a browser; returns the response. */
const submitPage = async (address: string): Promise<Response> => {
  const headers = { 'user-agent': browser };
  const shown = await fetch(address, { headers });
  const body = new URLSearchParams(hiddenFieldsIn(await shown.text()));
  return fetch(address, { method: 'POST', redirect: 'manual', headers, body });
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

/** Takes one visitor from the click to the deliveries to Meta and Google, and prints each step. */
export const carryVisitorThrough = async (around: DemoSurroundings): Promise<void> => {
  const { apiUrl, demo, say } = around;
  const unique = randomBytes(4).toString('hex');
  const clicked = `${demo.landingPage}?gclid=demo-gclid-${unique}&fbclid=demo-fbclid-${unique}&utm_campaign=demo`;
  say(`  click        ${clicked}`);
  const response = await submitPage(clicked);
  const target = response.headers.get('location') ?? '';
  const leadReference = new URL(target).searchParams.get('serviceId');
  say(`  lead         redirected to ${target}`);
  const externalReference = `customer-${unique}`;
  const { id: clientId } = client.parse(
    await post(`${apiUrl}/client`, demo.apiKey, { leadReference, externalReference, email: `${unique}@example.com` }),
  );
  say(`  client       ${clientId} registered with that lead reference`);
  const order = {
    clientExternalReference: externalReference,
    conversionExternalReference: `order-${unique}`,
    amount: 149.9,
    currency: 'USD',
  };
  const { id, leadId } = conversion.parse(await post(`${apiUrl}/client/conversion`, demo.apiKey, order));
  say(`  conversion   ${id} of lead ${leadId}: ${order.currency} ${order.amount}`);
  await feedbackArrived(around, order.conversionExternalReference, ['meta', 'google']);
};
