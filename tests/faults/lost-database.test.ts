import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type LandingPage, Lead, migrate } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/secrets';
import {
  eventually,
  givenBroker,
  givenLandingPage,
  openTestDatabase,
  secretsKeys,
  type TestDatabase,
  tcpProxy,
} from '@leadback/test-fixtures';
import { type LocalBroker, type LocalServer, startPostgres } from '@leadback/local-stack';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { enough, firstOf } from '../support/first-of.ts';
import { givenPartner, type Partner } from '../support/given-partner.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';
import { sumIn } from '../support/metrics.ts';
import { givenPace } from '../support/pace.ts';

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

const callersMax = 6;

interface Visit {
  readonly gclid: string;
  readonly reference: string;
}

describe('leads and outages', () => {
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
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await postgres.stop();
    await stack[Symbol.asyncDispose]();
  });

  const start = (name: 'landing' | 'api') => stack.start(name, { databaseUrl: database.url });

  /** One visitor who opens the page and continues; any other response fails the test. */
  const visit = async (gclid: string): Promise<Visit> => {
    const address = `${stack.landingUrl}/${page.slug}?gclid=${gclid}`;
    const shown = await fetch(address, { headers: { 'user-agent': userAgent } });
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<form')]);
    const redirect = await fetch(address, { method: 'POST', redirect: 'manual', headers: { 'user-agent': userAgent } });
    const location = redirect.headers.get('location') ?? '';
    expect([redirect.status, location]).toEqual([303, expect.stringMatching(/\?serviceId=[0-9A-Za-z]{22}$/)]);
    return { gclid, reference: new URL(location).searchParams.get('serviceId') ?? '' };
  };
  const countLeads = async (where: string): Promise<number> =>
    sumIn(await stack.metricsOf('landing'), 'leadback_visits_total', { mode: 'page', lead: where });
  /** Concurrent visitors until `stop`, which returns all visits. */
  const visitors = (name: string) => {
    const visits: Visit[] = [];
    const left = new AbortController();
    const pace = givenPace(100);
    const callers = Array.from({ length: callersMax }, async (_, caller) => {
      for (let count = 0; !left.signal.aborted; count += 1) {
        visits.push(await visit(`${name}-${caller}-${count}`));
        await pause((1_000 * callersMax) / pace.perSecond());
      }
    });
    return {
      more: (count: number) => {
        const goal = visits.length + count;
        return pace.during(eventually(() => expect(visits.length).toBeGreaterThanOrEqual(goal)));
      },
      /** Waits until landing has kept a lead there: on a busy machine, the first ones may be kept elsewhere. */
      untilLeadIs: (where: 'at_broker' | 'on_disk') =>
        eventually(async () => expect(await countLeads(where)).toBeGreaterThan(0)),
      last: () => visits.at(-1)?.reference ?? '',
      stop: async (): Promise<Visit[]> => {
        left.abort();
        await Promise.all(callers);
        return visits;
      },
    };
  };
  const spooled = async () => (await readdir(stack.leadSpoolFolder)).filter((name) => name.endsWith('.leads'));
  /** Registers a client like a partner's backend, which retries after 503. Returns every status. */
  const registerClient = async (leadReference: string): Promise<number[]> => {
    const statuses: number[] = [];
    await eventually(async () => {
      const { status } = await partner.post('/client', { leadReference });
      statuses.push(status);
      expect(status).not.toBe(503);
    });
    return statuses;
  };
  const expectLeads = async (visits: readonly Visit[]) => {
    const expected = new Map(visits.map(({ reference, gclid }) => [reference, gclid]));
    expect(expected.size).toBe(visits.length);
    const prefix = visits[0]?.gclid.split('-')[0] ?? '';
    const ofVisits = { landingPage: page.id, clickParameters: { gclid: { $like: `${prefix}-%` } } };
    await eventually(async () => expect(await database.em().count(Lead, ofVisits)).toBe(visits.length));
    for (const { reference, clickParameters } of await database.em().find(Lead, ofVisits))
      expect(clickParameters.gclid).toBe(expected.get(reference));
  };

  /** A valid reference without a lead gets 404 again when no leads are buffered. */
  const expectUnknown = () =>
    eventually(async () => {
      const leadReference = issueLeadReference(leadReferenceKeys(secretsKeys));
      expect((await partner.post('/client', { leadReference })).status).toBe(404);
    });

  it('buffers leads in RabbitMQ and responds with 503 if PostgreSQL is killed under load', async () => {
    await using _landing = await start('landing');
    await using _api = await start('api');
    const coming = visitors('broker');
    await coming.more(enough(50, 100));
    await postgres.kill();
    await coming.more(enough(150, 500));
    await coming.untilLeadIs('at_broker');
    const reference = coming.last();
    await postgres.start();
    const statuses = await registerClient(reference);
    expect(statuses.at(-1)).toBe(201);
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    await coming.more(enough(50, 100));
    const visits = await coming.stop();
    await expectLeads(visits);
    expect(await countLeads('lost')).toBe(0);
    await expectUnknown();
  });

  it('loses no lead if the landing app is killed with leads in RabbitMQ', async () => {
    await using landing = await start('landing');
    const coming = visitors('killed');
    await coming.more(20);
    await postgres.kill();
    await coming.more(100);
    await coming.untilLeadIs('at_broker');
    const visits = await coming.stop();
    expect(await countLeads('lost')).toBe(0);
    await landing.kill();
    await postgres.start();
    await using _restarted = await start('landing');
    await expectLeads(visits);
  });

  it('loses no lead if RabbitMQ is down too and the landing app is killed with leads on disk', async () => {
    await using landing = await start('landing');
    await using _api = await start('api');
    const coming = visitors('disk');
    await coming.more(20);
    await broker.kill();
    await postgres.kill();
    await coming.more(enough(100, 300));
    await coming.untilLeadIs('on_disk');
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
  });

  it('serves pages and keeps leads if the landing app starts without PostgreSQL and RabbitMQ', async () => {
    await using toDatabase = await tcpProxy(database.url);
    await using toBroker = await tcpProxy(broker.url);
    const servers = { databaseUrl: toDatabase.url, amqpUrl: toBroker.url };
    await using before = await stack.start('landing', servers);
    await before.stop();
    // they refuse connections: another start of RabbitMQ would take seconds of a core
    toDatabase.cut();
    toBroker.cut();
    await using _started = await stack.start('landing', servers);
    const visits = [await visit('started-0'), await visit('started-1')];
    expect((await spooled()).length).toBeGreaterThan(0);
    await toDatabase.heal();
    await toBroker.heal();
    await expectLeads(visits);
  });

  it.each(firstOf(1, ['blackHole', 'cut'] as const))(
    'responds with 503 for a buffered lead if only the landing app loses PostgreSQL (%s)',
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
  );

  it('loses no lead if PostgreSQL and RabbitMQ stop responding with connections open', async () => {
    await using toDatabase = await tcpProxy(database.url);
    await using toBroker = await tcpProxy(broker.url);
    await using _landing = await stack.start('landing', { databaseUrl: toDatabase.url, amqpUrl: toBroker.url });
    const coming = visitors('silent');
    await coming.more(20);
    toDatabase.blackHole();
    await coming.more(100);
    await coming.untilLeadIs('at_broker');
    toBroker.blackHole();
    await coming.more(100);
    await coming.untilLeadIs('on_disk');
    const visits = await coming.stop();
    await Promise.all([toDatabase.heal(), toBroker.heal()]);
    await expectLeads(visits);
    expect(await countLeads('lost')).toBe(0);
  });
});
