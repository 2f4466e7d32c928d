import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Account, Conversion } from '@leadback/db';
import { type TestDatabase, eventually, givenClient, givenDatabase, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { type Reply, type TestApi, givenApi, givenPartner, order } from './given-api.ts';

const waitingMax = 1_000;
// with two statements of 500
const acceptedMax = waitingMax + 1_000;
const readsWaitingMax = 200;

/** A pool whose registrations of conversions stop, as if PostgreSQL did, until it is open. */
const gatedPool = ({ pool }: TestDatabase) => {
  const gate = Promise.withResolvers<void>();
  const gated: typeof pool = new Proxy(pool, {
    get: (target, key) =>
      key === 'query'
        ? async (query: { name: string; text: string }) => {
            if (query.name === 'register-conversions') await gate.promise;
            return target.query(query);
          }
        : Reflect.get(target, key),
  });
  return { pool: gated, open: () => gate.resolve() };
};

/** Counts the requests that are sent from now on, each once its connection is open. */
const countingSent = () => {
  const channel = 'undici:client:sendHeaders';
  let sent = 0;
  const note = () => void (sent += 1);
  subscribe(channel, note);
  return {
    reaches: (count: number) => expect.poll(() => sent).toBeGreaterThanOrEqual(count),
    [Symbol.dispose]: () => void unsubscribe(channel, note),
  };
};

/**
 * Sends requests at the same time; `answered` has those with a response so far. `connectedAtOnce`: how many connect at the same
 * time. None waits for the response to another one.
 */
const sending = (count: number, send: () => Promise<Reply>, connectedAtOnce = count) => {
  const answered: Reply[] = [];
  const connect = async () => {
    using sent = countingSent();
    const replies: Promise<void>[] = [];
    while (replies.length < count) {
      const wave = Array.from({ length: Math.min(connectedAtOnce, count - replies.length) }, async () => {
        answered.push(await send());
      });
      replies.push(...wave);
      await Promise.race([sent.reaches(replies.length), Promise.all(replies)]);
    }
    await Promise.all(replies);
  };
  return { answered, all: connect() };
};

const expectRefused = (replies: readonly Reply[]) => {
  for (const { status, headers, body } of replies) {
    expect([status, headers.get('leadback-error'), headers.get('retry-after'), body]).toEqual([
      503,
      'overloaded',
      '5',
      { message: 'overloaded right now; try again later' },
    ]);
  }
};

const refusedTotal = async (api: TestApi) =>
  Number(/^leadback_overloaded_requests_total\{.*\} (\d+)$/m.exec(await api.metrics())?.[1]);

it('refuses registrations at once beyond those that may wait, and registers those, and all that come later', async () => {
  await using database = await givenDatabase();
  const gate = gatedPool(database);
  await using api = await givenApi({ database, intake: gate.pool });
  const { account, convert, get } = await givenPartner(api, { platforms: ['meta'] });
  const register = () => convert();
  const count = acceptedMax + 400;
  // on a busy machine, thousands would not be connected within the ten seconds that fetch waits
  const { answered, all } = sending(count, register, 300);
  await expect.poll(() => answered.length).toBeGreaterThanOrEqual(count - acceptedMax);
  expectRefused(answered);
  // others are served meanwhile
  expect((await get('/client/conversions')).status).toBe(200);
  expect(await database.em().count(Conversion, { account })).toBe(0);

  gate.open();
  await all;
  const refused = answered.filter(({ status }) => status !== 201);
  expectRefused(refused);
  expect(await refusedTotal(api)).toBe(refused.length);
  const later = sending(waitingMax, register);
  await later.all;
  expect(new Set(later.answered.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await database.em().count(Conversion, { account })).toBe(count - refused.length + waitingMax);
});

it('refuses reads at once beyond those that may wait for a connection, and registers meanwhile', async () => {
  await using database = await givenDatabase();
  await using api = await givenApi({ database });
  const { convert, get } = await givenPartner(api, { platforms: ['meta'] });
  const { pool } = api;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const read = () => get('/client/conversions');
  const { answered, all } = sending(readsWaitingMax + 100, read);
  await expect.poll(() => answered.length).toBeGreaterThanOrEqual(100);
  expectRefused(answered);
  expect((await convert()).status).toBe(201);

  for (const client of held) client.release();
  await all;
  const refused = answered.filter(({ status }) => status !== 200);
  expectRefused(refused);
  expect(await refusedTotal(api)).toBe(refused.length);
  expect((await read()).status).toBe(200);
});

const ofAccountMax = 8;

describe('batches at the same time', async () => {
  const api = await shared(givenApi());

  it('are answered 503 beyond eight of one account, and leave room for another account', async () => {
    const [many, other] = [
      await givenPartner(api, { platforms: ['meta'] }),
      await givenPartner(api, { platforms: ['meta'] }),
    ];
    const holder = await api.database.pool.connect();
    try {
      await holder.query('begin; lock table conversion in share mode');
      const send = ({ post }: typeof many) => post('/client/conversion/batch', { items: [order()] });
      const sent = Array.from({ length: ofAccountMax + 1 }, () => send(many));
      const first = await Promise.race(sent);
      expect([first.status, first.headers.get('leadback-error'), first.headers.get('retry-after')]).toEqual([
        503,
        'overloaded',
        '5',
      ]);
      const beside = send(other);
      await holder.query('rollback');
      expect((await beside).status).toBe(200);
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(ofAccountMax);
    } finally {
      holder.release();
    }
  });
});

const requests = 50;

describe('a row that another session keeps locked', async () => {
  const api = await shared(givenApi({ hasLimits: true }));

  /** Registers conversions in a transaction that stays open. */
  const holding = async (account: Account, references: readonly string[]) => {
    const client = await givenClient(api.database.em(), { account });
    const holder = await api.database.pool.connect();
    await holder.query('begin');
    // a busy machine may take longer than the server lets a transaction be idle
    await holder.query('set local idle_in_transaction_session_timeout = 0');
    await holder.query(
      `insert into conversion (account_id, client_id, lead_id, amount, currency, external_reference, event_id, landing_page_id, campaign)
       select $1, $2, (select lead_id from client where id = $2), 1, 'USD', reference, reference, $4, '' from unnest($3::text[]) reference`,
      [account.id, client.id, references, client.landingPageId],
    );
    return async () => {
      await holder.query('rollback');
      holder.release();
    };
  };

  it.each([
    { of: 'fifty requests', what: 'the one that needs it', blocked: 1, hasKey: false },
    { of: 'fifty requests with an Idempotency-Key', what: 'the one that needs it', blocked: 1, hasKey: true },
    { of: 'fifty requests', what: 'the three that need it', blocked: 3, hasKey: false },
  ])('fails, of $of at the same time, only $what', async ({ blocked, hasKey }) => {
    const { account, convert } = await givenPartner(api, { platforms: ['meta'] });
    const register = (conversionExternalReference = '') =>
      convert({ conversionExternalReference }, { headers: hasKey ? { 'idempotency-key': unique('key') } : {} });
    const tryAll = async () => {
      const references = Array.from({ length: requests }, () => unique('order'));
      const release = await holding(account, references.slice(0, blocked));
      try {
        return { references, replies: await Promise.all(references.map(register)) };
      } finally {
        await release();
      }
    };
    // a few times: a busy machine may not run all the others in the time that the api has
    await eventually(async () => {
      const { references, replies } = await tryAll();
      for (const { status, headers } of replies.slice(0, blocked))
        expect([status, headers.get('leadback-error'), headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
      for (const { status, body } of replies.slice(blocked))
        expect([status, body]).toMatchObject([201, { id: expect.any(Number) }]);
      expect((await register(references[0])).status).toBe(201);
    });
  });

  it('refuses, of six hundred requests at the same time, the one that needs it, and loses or doubles none', async () => {
    const { account, convert } = await givenPartner(api, { platforms: ['meta'] });
    const references = Array.from({ length: 600 }, () => unique('order'));
    const register = (conversionExternalReference = '') => convert({ conversionExternalReference });
    const release = await holding(account, references.slice(0, 1));
    const replies = await Promise.all(references.map(register));
    const outcomes = replies.map(({ status, headers }) => [status, headers.get('leadback-error')].join(' ').trim());
    expect(outcomes[0]).toBe('503 unavailable');
    // others may be refused, too: those that their statement did not reach in time
    expect(outcomes.filter((outcome) => !['201', '503 unavailable'].includes(outcome))).toEqual([]);
    const registered = async () => {
      const { rows } = await api.database.pool.query<{ external_reference: string }>(
        'select external_reference from conversion where account_id = $1 order by id',
        [account.id],
      );
      return rows.map(({ external_reference: reference }) => reference).toSorted();
    };
    expect(await registered()).toEqual(references.filter((_, index) => outcomes[index] === '201').toSorted());
    await release();
    for (const reference of references.filter((_, index) => outcomes[index] !== '201'))
      expect((await register(reference)).status).toBe(201);
    expect(await registered()).toEqual(references.toSorted());
  });
});
