import { Client, Conversion } from '@leadback/db';
import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { givenContacts, givenDatabase, givenLead, secretsKeys, type TestDatabase, unique } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const clickParameters = { utm_campaign: 'spring' };
const traceParent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

const announce = () => {};

describe('the page and the campaign for which a conversion counts', () => {
  let database: TestDatabase;
  const contacts = givenContacts();
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const registered = async (accountId: number, clientExternalReference: string) => {
    const register = conversionRegistrar(database.pool, { contacts, announce });
    const input = { amount: '10', currency: 'USD', clientExternalReference } as const;
    const { id, traceParent: trace } = await register({ accountId, isTest: false }, input);
    return { conversion: await database.em().findOneOrFail(Conversion, id), trace };
  };

  it('are those that its client got from its lead', async () => {
    const lead = await givenLead(database.em(), { clickParameters, traceParent });
    const landingPageId = lead.landingPage.id;
    const externalReference = unique('client');
    const referenceKeys = leadReferenceKeys(secretsKeys);
    const register = clientRegistrar(database.pool, { contacts, referenceKeys, announce });
    const mode = { accountId: lead.account.id, isTest: false };
    const client = await register(mode, { leadReference: lead.reference, externalReference });
    expect(await database.em().findOneOrFail(Client, client.id)).toMatchObject({
      landingPageId,
      campaign: 'spring',
      traceParent,
    });

    const { conversion, trace } = await registered(mode.accountId, externalReference);
    expect(conversion).toMatchObject({ landingPageId, campaign: 'spring' });
    expect(trace).toBe(traceParent);
  });
});
