import { createHmac, randomInt } from 'node:crypto';
import { createSource, listSourceEvents } from '@leadback/core/sources/sources';
import { Conversion } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { eventually, givenLead, secretsKeys, tcpProxy, unique } from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { failpoint, wire } from '../support/failpoint.ts';
import { givenPartner, type Partner } from '../support/given-partner.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';
import { eventId } from '../support/sandbox.ts';

/** The statement with which what events came to is saved. */
const saving = 'set finished_at = clock_timestamp(), outcome = i.outcome';

describe('what sources send, and outages', () => {
  let stack: TestStack;
  let partner: Partner;
  beforeAll(async () => {
    stack = await givenStack();
    partner = await givenPartner(stack);
    await stack.start('feedback-worker');
  });
  afterEach(() => stack.kill('api'));
  afterAll(() => stack[Symbol.asyncDispose]());

  /** A shop, and an order of a buyer who clicked. */
  const givenOrder = async () => {
    const { account } = partner;
    const {
      id,
      path,
      secret = '',
    } = await createSource(stack.database.pool, secretsKeys, {
      actor: 'test',
      accountId: account.id,
      kind: 'woocommerce',
      isTest: false,
      content: {},
    });
    const reference = issueLeadReference(leadReferenceKeys(secretsKeys));
    const clickParameters = { gclid: 'Cj0-Click', fbclid: 'IwAR2-Click' };
    await givenLead(stack.database.em(), { account, reference, clickParameters });
    const number = String(randomInt(1e9, 1e14));
    const email = `${unique('canary')}@x.example`;
    const at = new Date(Date.now() - 60_000).toISOString().slice(0, 19);
    const order = {
      id: Number(number),
      status: 'processing',
      currency: 'ARS',
      total: '15400.50',
      date_paid_gmt: at,
      date_modified_gmt: at,
      billing: { first_name: 'Ana', email, phone: '11 5555-0101', country: 'AR' },
      meta_data: [{ key: 'leadback', value: reference }],
      refunds: [],
    };
    const send = (change: object = {}) => {
      const body = JSON.stringify({ ...order, ...change });
      return fetch(stack.apiUrl.replace('/api/v1', `/source/${path}`), {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'x-wc-webhook-topic': 'order.updated',
          'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
        },
      });
    };
    const outcomes = async () =>
      (await listSourceEvents(stack.database.pool, { id, accountId: account.id }, { limit: 10 })).map(
        ({ outcome }) => outcome,
      );
    const told = async () => (await stack.sandbox.events()).filter((event) => eventId(event) === number);
    const sales = () => stack.database.em().count(Conversion, { account, externalReference: number });
    return { send, outcomes, told, sales, email, number };
  };

  const moments = [
    ['before it saves anything', { moment: 'saying', text: saving }],
    ['before it commits', { moment: 'saying', text: wire.postgres.commit, onceSaid: saving }],
    ['after it has committed', { moment: 'hearing', text: wire.postgres.idle, onceSaid: saving }],
  ] as const;

  it.each(moments)(
    'an order counts once, and both platforms are told once, if the api is killed %s',
    async (_, point) => {
      const { module, mark } = failpoint(point);
      const api = await stack.start('api', { imports: [module] });
      const { send, outcomes, told, sales } = await givenOrder();
      expect((await send()).status).toBe(200);
      expect(await api.exited).toBe('SIGKILL');
      expect(await stack.timesLogged('api', mark)).toBe(1);
      await stack.start('api');
      await eventually(async () => expect(await outcomes()).toEqual(['sale']));
      await eventually(async () =>
        expect((await told()).map(({ platform }) => platform).toSorted((a, b) => a.localeCompare(b))).toEqual([
          'google',
          'meta',
        ]),
      );
      expect(await sales()).toBe(1);
    },
  );

  it('an order counts once if the api is killed after it was stored and before anybody was told so', async () => {
    const point = { moment: 'hearing', text: wire.postgres.idle, onceSaid: 'insert into source_event' } as const;
    const { module, mark } = failpoint(point);
    const api = await stack.start('api', { imports: [module] });
    const { send, outcomes, sales } = await givenOrder();
    await expect(send()).rejects.toThrow('fetch failed');
    expect(await api.exited).toBe('SIGKILL');
    expect(await stack.timesLogged('api', mark)).toBe(1);
    await stack.start('api');
    // the shop sends nothing again
    await eventually(async () => expect(await outcomes()).toEqual(['sale']));
    // or it does
    expect((await send()).status).toBe(200);
    expect([await outcomes(), await sales()]).toEqual([['repeated', 'sale'], 1]);
  });

  it('a shop is asked to come again while PostgreSQL is down, and what it sends then counts', async () => {
    await using proxy = await tcpProxy(stack.database.url);
    await stack.start('api', { databaseUrl: proxy.url });
    const { send, outcomes } = await givenOrder();
    proxy.cut();
    const since = performance.now();
    const refused = await send();
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect(performance.now() - since).toBeLessThan(10_000);
    await proxy.heal();
    await eventually(async () => expect((await send()).status).toBe(200));
    await eventually(async () => expect(await outcomes()).toContain('sale'));
  });

  it('nothing of what a shop sends is in logs and metrics, whatever it is', async () => {
    await stack.start('api');
    const { send, outcomes, email, number } = await givenOrder();
    await send();
    await send({ total: `broken by ${email}` });
    await send({ currency: 'ZZZ', id: `${number}1` });
    await eventually(async () => expect((await outcomes()).filter(Boolean)).toHaveLength(3));
    const [local = ''] = email.split('@');
    const written = (await stack.logOf('api')) + (await stack.metricsOf('api'));
    expect(written).toContain('/source/:path');
    expect(written).not.toContain(local);
    expect(written).not.toContain(number);
  });
});
