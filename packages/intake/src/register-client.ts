import { setTimeout as pause } from 'node:timers/promises';
import { type AccountMode, emailAddressSchema, emailKey, optionalText, Refusal, requiredText } from '@leadback/domain';
import type { Pool } from '@leadback/db';
import { isGenuineLeadReference, type Keys } from '@leadback/secrets';
import { z } from 'zod';
import { insertClients, insertedClientSchema } from './insert-clients.ts';
import { leadUnnoticedMs } from './landing-instances.ts';
import { onceEach } from './once-each.ts';

/** A client as callers send it. */
export const clientSchema = z.object(
  {
    leadReference: requiredText(64).meta({
      description: 'The value of `serviceId` in the URL with which the visitor reached your page, unchanged.',
    }),
    name: optionalText(200).meta({ description: 'Full name.' }),
    email: emailAddressSchema.meta({
      description:
        'Email address. Conversions may identify the client by it; case and surrounding spaces do not matter.',
    }),
    phoneNumber: optionalText(40).meta({
      description: 'Phone number, with country code or in the national format of the country of your account.',
    }),
    externalReference: optionalText(255).meta({
      description:
        'Your own identifier for the client. Unique among your clients of one mode (live or test); conversions may identify the client by it.',
    }),
  },
  { error: 'expected a JSON object' },
);

type Parsed = Readonly<z.infer<typeof clientSchema>>;

export type ClientInput = Pick<Parsed, 'leadReference'> & Partial<Parsed>;

export interface RegisteredClient {
  readonly id: number;
  readonly outcome: 'created' | 'known';
  /** Of the lead of a new client, if it is traced. */
  readonly traceParent: string | undefined;
  /** Whether an earlier request with the same idempotency key did it. */
  readonly isRepeated: boolean;
}

export type ClientRegistrar = (
  mode: AccountMode,
  input: ClientInput,
  idempotencyKey?: string,
) => Promise<RegisteredClient>;

const retryEveryMs = 500;

/**
 * Returns a function that registers a client for a lead of the account, or finds the client of the same mode with the
 * same external reference (looked up before the lead, and not changed). Throws `lead-unknown` if no lead of the account
 * has the reference, or `lead-pending` while the lead may still be buffered. Retries a genuine reference without a lead
 * until a landing app that holds it would have been noticed: callers give up after `lead-unknown`. A missing lead is
 * never stored for a repeated request, because it may arrive later.
 */
export const clientRegistrar = (pool: Pool, referenceKeys: Keys): ClientRegistrar => {
  const register = onceEach(pool, {
    route: ({ isTest }) => (isTest ? 'test client' : 'client'),
    // the route contains the mode; fingerprints stay what they were before clients had one
    fingerprinted: (client) => ({ ...client, isTest: undefined }),
    run: insertClients,
    schema: insertedClientSchema,
    isFinal: (client) => 'id' in client,
    accept(client, { leadReference }) {
      if ('id' in client) return client;
      if (!isGenuineLeadReference(referenceKeys, leadReference)) throw new Refusal('lead-unknown.damaged');
      if (client.kind === 'lead-under-way') throw new Refusal('lead-pending');
      if (client.kind === 'lead-unknown') throw new Refusal('lead-unknown');
      return undefined;
    },
  });
  return async (mode, input, idempotencyKey) => {
    const item = { ...input, ...mode, emailKey: input.email === undefined ? undefined : emailKey(input.email) };
    for (const until = performance.now() + leadUnnoticedMs; ; await pause(retryEveryMs)) {
      const { result: client, isRepeated } = await register({ item, idempotencyKey });
      if (client) return { id: client.id, outcome: client.kind, traceParent: client.traceParent, isRepeated };
      if (performance.now() > until) throw new Refusal('lead-unknown');
    }
  };
};
