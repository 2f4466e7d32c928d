import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type LandingPage, Lead, migrate } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain';
import {
  givenBroker,
  givenLandingPage,
  openTestDatabase,
  secretsKeys,
  type TestDatabase,
  tcpProxy,
} from '@leadback/test-fixtures';
import { type LocalBroker, type LocalServer, startPostgres } from '@leadback/local-stack';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { givenPartner, type Partner } from '../support/given-partner.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const changeWithLockRetry = { timeout: 60_000, interval: 100 };

interface Visit {
  readonly gclid: string;
  readonly reference: string;
}

describe('a paid click is not lost', () => {
  let broker: LocalBroker;
  let stack: TestStack;
  let postgres: LocalServer;
  let database: TestDatabase;
  let partner: Partner;
  let page: LandingPage;

  beforeAll(async () => {
    broker = await givenBroker();
    stack = await givenStack(broker);
    postgres = await startPostgres({ dir: await mkdtemp(join(inject('temporaryFolder'), 'postgres-')) });
    database = await openTestDatabase(postgres.url);
    await migrate(database.ownerUrl);
    // its connections end with the server
    database.pool.on('error', () => {});
    partner = await givenPartner({ ...stack, database });
    page = await givenLandingPage(database.em(), { account: partner.account });
  }, 180_000);
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await postgres.stop();
    await stack[Symbol.asyncDispose]();
  });

  const start = (name: 'landing' | 'api') => stack.start(name, { databaseUrl: database.url });

  /** One visitor who looks at the page and goes on; whatever else happens to them is a failure. */
  const visit = async (gclid: string): Promise<Visit> => {
    const address = `${stack.landingUrl}/${page.slug}?gclid=${gclid}`;
    const shown = await fetch(address, { headers: { 'user-agent': userAgent } });
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<form')]);
    const gone = await fetch(address, { method: 'POST', redirect: 'manual', headers: { 'user-agent': userAgent } });
    const location = gone.headers.get('location') ?? '';
    expect([gone.status, location]).toEqual([303, expect.stringMatching(/\?serviceId=[0-9A-Za-z]{22}$/)]);
    return { gclid, reference: new URL(location).searchParams.get('serviceId') ?? '' };
  };
  /** Visitors who keep coming, several at a time, until they are told not to; gives all of them. */
  const visitors = (name: string) => {
    const visits: Visit[] = [];
    const enough = new AbortController();
    const callers = Array.from({ length: 6 }, async (_, caller) => {
      for (let count = 0; !enough.signal.aborted; count += 1) visits.push(await visit(`${name}-${caller}-${count}`));
    });
    return {
      more: (count: number) => {
        const goal = visits.length + count;
        return vi.waitFor(() => expect(visits.length).toBeGreaterThanOrEqual(goal), changeWithLockRetry);
      },
      last: () => visits.at(-1)?.reference ?? '',
      stop: async (): Promise<Visit[]> => {
        enough.abort();
        await Promise.all(callers);
        return visits;
      },
    };
  };
  const spooled = async () => (await readdir(stack.leadSpoolFolder)).filter((name) => name.endsWith('.leads'));
  const keptSoFar = async (where: string): Promise<number> => {
    const metrics = await stack.metricsOf('landing');
    return Number(
      new RegExp(`leadback_visits_total\\{mode="page",lead="${where}",[^}]*\\} (\\d+)`).exec(metrics)?.[1] ?? 0,
    );
  };
  /** Registers a client for a lead as a partner's backend does, which repeats what was answered 503. Gives every status. */
  const registerClient = async (leadReference: string): Promise<number[]> => {
    const statuses: number[] = [];
    await vi.waitFor(async () => {
      const { status } = await partner.post('/client', { leadReference });
      statuses.push(status);
      expect(status).not.toBe(503);
    }, changeWithLockRetry);
    return statuses;
  };
  const expectLeads = async (visits: readonly Visit[]) => {
    const expected = new Map(visits.map(({ reference, gclid }) => [reference, gclid]));
    expect(expected.size).toBe(visits.length);
    const prefix = visits[0]?.gclid.split('-')[0] ?? '';
    const recorded = async () =>
      (await database.em().find(Lead, { landingPage: page.id })).filter(({ clickParameters }) =>
        clickParameters.gclid?.startsWith(`${prefix}-`),
      );
    await vi.waitFor(async () => expect(await recorded()).toHaveLength(visits.length), changeWithLockRetry);
    for (const { reference, clickParameters } of await recorded())
      expect(clickParameters.gclid).toBe(expected.get(reference));
  };

  /** A genuine reference of no lead is said to be unknown again, because nothing is under way any more. */
  const expectUnknown = () =>
    vi.waitFor(async () => {
      const leadReference = issueLeadReference(leadReferenceKeys(secretsKeys));
      expect((await partner.post('/client', { leadReference })).status).toBe(404);
    }, changeWithLockRetry);

  it('when PostgreSQL is killed under load: leads wait at the broker, and so does whoever asks for them', async () => {
    await using _landing = await start('landing');
    await using _api = await start('api');
    const coming = visitors('broker');
    await coming.more(100);
    await postgres.kill();
    await coming.more(500);
    const reference = coming.last();
    await postgres.start();
    const statuses = await registerClient(reference);
    expect(statuses.at(-1)).toBe(201);
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    await coming.more(100);
    const visits = await coming.stop();
    await expectLeads(visits);
    expect(await keptSoFar('at_broker')).toBeGreaterThan(0);
    expect(await keptSoFar('lost')).toBe(0);
    await expectUnknown();
  }, 180_000);

  it('when the landing app is killed with leads at the broker', async () => {
    const landing = await start('landing');
    const coming = visitors('killed');
    await coming.more(20);
    await postgres.kill();
    await coming.more(100);
    const visits = await coming.stop();
    expect(await keptSoFar('at_broker')).toBeGreaterThan(0);
    await landing.kill();
    await postgres.start();
    await using _restarted = await start('landing');
    await expectLeads(visits);
  }, 180_000);

  it('when RabbitMQ is gone as well, and the landing app is killed with leads on its disk', async () => {
    const landing = await start('landing');
    await using _api = await start('api');
    const coming = visitors('disk');
    await coming.more(20);
    await broker.kill();
    await postgres.kill();
    await coming.more(300);
    const visits = await coming.stop();
    await landing.kill();
    expect((await spooled()).length).toBeGreaterThan(0);
    await postgres.start();
    const waiting = registerClient(visits.at(-1)?.reference ?? '');
    await broker.start();
    await using _restarted = await start('landing');
    const statuses = await waiting;
    expect(statuses.filter((status) => status !== 503)).toEqual([201]);
    await expectLeads(visits);
    expect(await spooled()).toEqual([]);
    await expectUnknown();
  }, 180_000);

  it.each(['cut', 'blackHole'] as const)(
    'when the landing app alone loses PostgreSQL (%s), whoever asks at once',
    async (lose) => {
      await using toDatabase = await tcpProxy(database.url);
      await using _landing = await stack.start('landing', { databaseUrl: toDatabase.url });
      await using _api = await start('api');
      const before = await visit(`${lose}-0`);
      toDatabase[lose]();
      const after = await visit(`${lose}-1`);
      expect((await partner.post('/client', { leadReference: after.reference })).status).toBe(503);
      await toDatabase.heal();
      expect((await registerClient(after.reference)).at(-1)).toBe(201);
      await expectLeads([before, after]);
    },
    180_000,
  );

  it('when PostgreSQL and RabbitMQ fall silent, each connection still open', async () => {
    await using toDatabase = await tcpProxy(database.url);
    await using toBroker = await tcpProxy(broker.url);
    await using _landing = await stack.start('landing', { databaseUrl: toDatabase.url, amqpUrl: toBroker.url });
    const coming = visitors('silent');
    await coming.more(20);
    toDatabase.blackHole();
    await coming.more(100);
    toBroker.blackHole();
    await coming.more(100);
    const visits = await coming.stop();
    expect(await keptSoFar('at_broker')).toBeGreaterThan(0);
    expect(await keptSoFar('on_disk')).toBeGreaterThan(0);
    await Promise.all([toDatabase.heal(), toBroker.heal()]);
    await expectLeads(visits);
  }, 180_000);
});
