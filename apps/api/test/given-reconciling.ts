import { givenAccount, givenApiKey, givenClient } from '@leadback/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { TestApi } from './given-api.ts';

const created = z.object({ id: z.number() });

const now = new Date();

/** A time of a month, counted from this one: `inMonth(-1, 1)` is when the last one began. */
export const inMonth = (month: number, day: number, time = '00:00:00.000Z'): string =>
  `${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, day)).toISOString().slice(0, 10)}T${time}`;

const dayOf = (time: string) => time.slice(0, 10);
export const lastMonth = `?from=${dayOf(inMonth(-1, 1))}&to=${dayOf(inMonth(0, 0))}`;
const inLastMonth = inMonth(-1, 10, '12:00:00.000Z');

export const listed = (conversionExternalReference: string, fields: object = {}) => ({
  conversionExternalReference,
  amount: 10,
  currency: 'USD',
  ...fields,
});

/** A partner with the client C1 who sells and reconciles; sales are of the last month. */
export const givenReconciling = async (api: TestApi, { isTest = false } = {}) => {
  const em = api.database.em();
  const account = await givenAccount(em);
  await givenClient(em, { account, externalReference: 'C1', email: 'ana@x.example', isTest });
  const key = await givenApiKey(em, { account, isTest });
  const get = (path: string) => api.send('GET', `/api/v1${path}`, { key });
  const post = (path: string, body: unknown) => api.send('POST', `/api/v1${path}`, { key, body });
  /** Waits until the list of a reply is compared. Returns its id. */
  const done = async (reply: unknown): Promise<number> => {
    const { id } = created.parse(reply);
    await expect.poll(async () => (await get(`/reconciliation/${id}`)).body).toMatchObject({ state: 'done' });
    return id;
  };
  return {
    account,
    key,
    get,
    post,
    done,
    sell: async (conversionExternalReference: string | undefined, fields: object = {}): Promise<number> => {
      const sale = { amount: 10, currency: 'USD', clientExternalReference: 'C1', occurredAt: inLastMonth, ...fields };
      const { body } = await post('/client/conversion', { ...sale, conversionExternalReference });
      return created.parse(body).id;
    },
    /** Compares a list and returns the id once it is done. */
    reconcile: async (items: readonly unknown[], range = lastMonth): Promise<number> => {
      const { status, body } = await post(`/reconciliation${range}`, { items });
      expect([status, body]).toEqual([202, { id: expect.any(Number), state: 'pending' }]);
      return done(body);
    },
    rowsOf: async (id: number, query = ''): Promise<unknown> => (await get(`/reconciliation/${id}/rows${query}`)).body,
  };
};
