import type { NewParcel } from '@leadback/core/delivery/enqueue';
import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { leadReferenceKeys } from '@leadback/domain/keys';
import {
  eventually,
  givenContacts,
  givenAccount,
  givenConnection,
  givenLead,
  secretsKeys,
  unique,
  shared,
} from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenWorker } from '../../apps/feedback-worker/test/given-worker.ts';

const receivedSchema = z.array(z.object({ connection: z.string(), event: z.looseObject({}) }));
const google = { customerId: '1234567890', conversionActionId: '111', leadConversionActionId: '222' };

type Told = NonNullable<Parameters<typeof givenConnection>[1]>;

describe('more than one event', async () => {
  const worker = await shared(givenWorker());
  beforeEach(() => fetch(`${worker.sandbox.url}/events`, { method: 'DELETE' }));

  const received = async () => receivedSchema.parse(await (await fetch(`${worker.sandbox.url}/events`)).json());
  /** What the platforms received, oldest first, once there is so much. */
  const arrived = async (count: number) => {
    await eventually(async () => expect(await received()).toHaveLength(count));
    return (await received()).toReversed();
  };

  /** Registers a client of an account with this connection, and conversions with these names. */
  const register = async (told: Told, ...eventNames: readonly (string | undefined)[]) => {
    const em = worker.database.em();
    const account = await givenAccount(em);
    const lead = await givenLead(em, { account });
    await givenConnection(em, { account, ...told });
    const mode = { accountId: account.id, isTest: false };
    const { pool } = worker.database;
    const announce = (parcels: readonly NewParcel[]) => {
      void worker.delivery.takeHints(parcels.map((parcel) => ({ ...parcel, traceParent: undefined })));
    };
    const client = { leadReference: lead.reference, externalReference: unique('client'), email: 'ana@x.example' };
    const registerClient = clientRegistrar(pool, {
      contacts: givenContacts(),
      referenceKeys: leadReferenceKeys(secretsKeys),
      announce,
    });
    const { id } = await registerClient(mode, client);
    await registerClient(mode, client);
    const convert = conversionRegistrar(pool, { contacts: givenContacts(), announce });
    for (const eventName of eventNames) {
      const sale = { amount: '10', currency: 'USD', clientExternalReference: client.externalReference } as const;
      await convert(mode, { ...sale, eventName });
    }
    return id;
  };

  it('a Lead event arrives once at Meta after a client is registered, with an id of its own and no amount', async () => {
    const id = await register({ eventKinds: ['conversion', 'lead'] }, undefined);
    const events = (await arrived(2)).map(({ event }) => event);
    const [lead] = events.filter((event) => event['event_name'] === 'Lead');
    expect(lead).toMatchObject({ event_id: expect.stringMatching(new RegExp(`^lead:[0-9a-f-]{36}:${id}$`)) });
    expect(lead).not.toHaveProperty('custom_data');
    expect(events.filter((event) => event['event_name'] === 'Purchase')).toHaveLength(1);
  });

  it('no Lead event arrives at Meta unless the connection opted in', async () => {
    await register({}, undefined);
    expect((await arrived(1)).map(({ event }) => event['event_name'])).toEqual(['Purchase']);
  });

  it('conversions arrive by the name that the connection has for theirs, or else by its own', async () => {
    await register({ eventNames: { subscription: 'Subscribe' } }, 'subscription', 'other', undefined);
    const names = (await arrived(3)).map(({ event }) => String(event['event_name']));
    expect(names.toSorted()).toEqual(['Purchase', 'Purchase', 'Subscribe']);
  });

  it('leads and conversions arrive at their own conversion actions of Google', async () => {
    const told = { platform: 'google', settings: google, eventKinds: ['conversion', 'lead'] } as const;
    await register({ ...told, eventKinds: [...told.eventKinds], eventNames: { trial: '333' } }, 'trial', undefined);
    const actions = (await arrived(3)).map(({ connection, event }) => `${connection} ${'conversionValue' in event}`);
    expect(actions.toSorted()).toEqual(['111 true', '222 false', '333 true']);
  });
});
