import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { DemoAccount } from '../../start/demo-account.ts';
import { addresses } from './addresses.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const responseMaxMs = 15_000;

/** Follows a click on a page that redirects at once. Returns the lead reference; undefined if the visitor got no response. */
export const click = async (directPage: string): Promise<string | undefined> => {
  const id = randomBytes(6).toString('hex');
  const options = {
    headers: { 'user-agent': browser },
    redirect: 'manual',
    signal: AbortSignal.timeout(responseMaxMs),
  } as const;
  const response = await fetch(`${directPage}?gclid=${id}&fbclid=${id}`, options).catch(() => undefined);
  const target = response?.headers.get('location');
  return target ? (new URL(target).searchParams.get('serviceId') ?? undefined) : undefined;
};

export interface Response {
  /** Undefined if there was none. */
  readonly status: number | undefined;
  readonly id: number | undefined;
}

const created = z.object({ id: z.number() });

/** Sends a request of a partner's backend. */
export const post = async (
  apiKey: string,
  path: '/client' | '/client/conversion',
  body: object,
  idempotencyKey?: string,
): Promise<Response> => {
  const response = await fetch(addresses.api + path, {
    method: 'POST',
    headers: {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(responseMaxMs),
  }).catch(() => undefined);
  const reply: unknown = await response?.json().catch(() => undefined);
  return { status: response?.status, id: created.safeParse(reply).data?.id };
};

export interface LoadedPartner {
  readonly apiKey: string;
  readonly directPage: string;
  readonly clientReference: string;
  /** Texts that logs must not contain. */
  readonly canaries: readonly string[];
}

/** A client of the account, who came by a click. */
export const givenLoadedPartner = async ({ apiKey, directPage }: DemoAccount): Promise<LoadedPartner> => {
  const canary = `canary${randomBytes(6).toString('hex')}`;
  const leadReference = await click(directPage);
  const person = { name: `Ana ${canary}`, email: `${canary}@x.example`, externalReference: canary };
  const { status } = await post(apiKey, '/client', { leadReference, ...person });
  if (status !== 201) throw new Error(`POST /client got ${status} for the lead ${leadReference}`);
  return { apiKey, directPage, clientReference: canary, canaries: [canary, apiKey] };
};
