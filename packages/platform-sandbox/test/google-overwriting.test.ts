import { afterAll, beforeEach, expect, it } from 'vitest';
import { destination, googleEvent, googleRequest, metaEvent, metaRequest } from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const sandbox = await serveSandbox(() => nowMs);
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(() => sandbox.request('DELETE', '/events'));

const counted = async () => (await sandbox.request('GET', '/conversions')).body;
const order = (transactionId: string, changes: object = {}) => googleEvent({ transactionId, ...changes });
const conversion = { platform: 'google', connection: '848898416' };

it('Google overwrites value and currency of a known transaction id, and does not raise the count', async () => {
  await sandbox.google(googleRequest([order('1'), order('2')]));
  await sandbox.google(googleRequest([order('1', { conversionValue: 60.2, currency: 'ARS' })]));
  expect(await counted()).toEqual([
    { ...conversion, id: '1', value: 60.2, currency: 'ARS', events: 2 },
    { ...conversion, id: '2', value: 100.2, currency: 'USD', events: 1 },
  ]);
});

it('Google creates a conversion for an unknown transaction id, in each conversion action', async () => {
  await sandbox.google(googleRequest([order('1')]));
  const other = { destinations: [destination({ productDestinationId: '7' })] };
  await sandbox.google(googleRequest([order('1', { conversionValue: 0 })], other));
  expect(await counted()).toEqual([
    { ...conversion, connection: '7', id: '1', value: 0, currency: 'USD', events: 1 },
    { ...conversion, id: '1', value: 100.2, currency: 'USD', events: 1 },
  ]);
});

it('the sandbox says what is counted only for platforms that overwrite', async () => {
  await sandbox.meta(metaRequest(metaEvent()));
  expect(await counted()).toEqual([]);
});

it('the page of events shows the value that counts beside each event', async () => {
  await sandbox.google(googleRequest([order('<1>')]));
  await sandbox.google(googleRequest([order('<1>', { conversionValue: 0 })]));
  const { body } = await sandbox.request('GET', '/');
  expect(String(body).match(/counted once as <code>&lt;1&gt;<\/code>: 0 USD after 2 events/g)).toHaveLength(2);
});
