import type { Account } from '@leadback/db';
import {
  givenAccount,
  givenApiKey,
  givenConnection,
  givenConversion,
  givenLandingPage,
  givenLead,
  givenWebhook,
} from '@leadback/testing';
import { metricsRoller } from '@leadback/core/metrics/metrics';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { firstStepsReply } from '../src/contract/results.ts';
import { givenConsole, type SignedIn, type TestConsole } from './given-console.ts';

describe('the first steps of an account', () => {
  let console: TestConsole;
  let person: SignedIn;
  let account: Account;
  beforeAll(async () => {
    console = await givenConsole();
    person = await console.person();
  });
  afterAll(() => console[Symbol.asyncDispose]());
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const read = async () => {
    const { body } = await person.get(`/api/accounts/${account.id}/first-steps`);
    return firstStepsReply.parse(body);
  };
  const nothing = {
    page: null,
    connection: null,
    hasClick: false,
    hasTestKey: false,
    hasTestSale: false,
    hasLiveKey: false,
    hasLiveSale: false,
  };

  it('are what is there of one account: page, connection, click, keys, and sales of each mode apart', async () => {
    const em = console.database.em();
    // what others have counts for nobody else, and a webhook is no platform
    await givenConversion(em);
    await givenWebhook(em, { account });
    expect(await read()).toEqual(nothing);
    const page = await givenLandingPage(em, { account, slug: 'sandals', isOn: false });
    const url = 'https://go.example/sandals';
    expect(await read()).toEqual({ ...nothing, page: { id: page.id, url, isOn: false } });
    const on = await givenLandingPage(em, { account, slug: 'boots' });
    const has = { ...nothing, page: { id: on.id, url: 'https://go.example/boots', isOn: true } };
    expect(await read()).toEqual(has);

    const paused = await givenConnection(em, { account, state: 'paused' });
    expect(await read()).toEqual({ ...has, connection: { id: paused.id, state: 'paused' } });
    const { id } = await givenConnection(em, { account, platform: 'google' });
    const connection = { id, state: 'active' };
    expect(await read()).toEqual({ ...has, connection });

    await givenLead(em, { account });
    const clicked = { ...has, connection, hasClick: true };
    expect(await read()).toEqual(clicked);
    await metricsRoller()(console.database.pool, 100);
    expect(await read()).toEqual(clicked);

    await givenApiKey(em, { account, expiresAt: new Date('2026-01-01') });
    await givenApiKey(em, { account, revokedAt: new Date() });
    expect(await read()).toEqual(clicked);
    await givenApiKey(em, { account, isTest: true });
    await givenConversion(em, { account, isTest: true });
    const tested = { ...clicked, hasTestKey: true, hasTestSale: true };
    expect(await read()).toEqual(tested);
    await givenApiKey(em, { account });
    await givenConversion(em, { account });
    expect(await read()).toEqual({ ...tested, hasLiveKey: true, hasLiveSale: true });
  });
});
