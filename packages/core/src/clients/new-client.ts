import {
  type AccountMode,
  emailAddressSchema,
  emailKey,
  optionalText,
  Refusal,
  requiredText,
  suppressedMessage,
} from '@leadback/domain';
import type { Contacts } from '@leadback/db';
import type { NewParcel } from '../delivery/enqueue.ts';
import { isGenuineLeadReference, type Keys } from '@leadback/domain/keys';
import { z } from 'zod';
import { type InsertedClient, insertClients, insertedClientSchema, type NewClient } from './insert-clients.ts';
import type { Idempotence } from '../once.ts';

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

export const newClient = (mode: AccountMode, input: ClientInput): NewClient => ({
  ...input,
  ...mode,
  emailKey: input.email === undefined ? undefined : emailKey(input.email),
});

/**
 * How clients are registered once. `route`: the scope of idempotency keys. `announce`: called after each commit that
 * created deliveries; must not throw.
 */
export const clientIdempotence = (
  route: string,
  contacts: Contacts,
  announce: (parcels: readonly NewParcel[]) => void,
): Idempotence<NewClient, InsertedClient> => ({
  route: ({ isTest }) => (isTest ? `test ${route}` : route),
  // the route contains the mode; fingerprints stay what they were before clients had one
  fingerprinted: (client) => ({ ...client, isTest: undefined, isSecondTry: undefined }),
  async run(on, clients, afterCommit) {
    const { inserted, parcels } = await insertClients(on, clients, contacts);
    if (parcels.length > 0) afterCommit(() => announce(parcels));
    return inserted;
  },
  schema: insertedClientSchema,
  isFinal: (client) => 'id' in client,
});

type ClientWithoutLead = Exclude<InsertedClient, { readonly id: number }>;

/** Undefined: the reference is genuine, and no landing app is known to hold its lead. */
export const refusalOfClient = (
  refused: ClientWithoutLead,
  { leadReference }: NewClient,
  referenceKeys: Keys,
): Refusal | undefined => {
  if (!isGenuineLeadReference(referenceKeys, leadReference)) return new Refusal('lead-unknown.damaged');
  const { kind } = refused;
  if (kind === 'suppressed') return new Refusal(kind, { message: suppressedMessage(refused.erasureId) });
  if (kind === 'lead-under-way') return new Refusal('lead-pending');
  return kind === 'lead-unknown' ? new Refusal('lead-unknown') : undefined;
};
