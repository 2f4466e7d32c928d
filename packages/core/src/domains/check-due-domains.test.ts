import { OwnDomain } from '@leadback/db';
import { eventually, givenAccount, givenDatabase, givenNameServer, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { dnsResolver } from './dns.ts';
import { checkDueDomains } from './domains.ts';

describe('checks of domains', async () => {
  const database = await shared(givenDatabase());
  const dns = await shared(givenNameServer());
  const tools = { landingUrl: 'https://go.example', dns: dnsResolver(dns.address) };
  const check = () => checkDueDomains(database.pool, tools);

  const checkAll = async () => {
    while (await check());
  };

  const givenDomains = async (count: number) => {
    const em = database.em();
    const account = await givenAccount(em);
    const names = Array.from({ length: count }, () => `go.${unique('shop')}.example`);
    for (const name of names) em.create(OwnDomain, { account, name });
    await em.flush();
    return names;
  };
  const serve = (names: readonly string[]) =>
    dns.serve({
      'go.example': { A: '203.0.113.7' },
      ...Object.fromEntries(names.map((name) => [name, { CNAME: 'go.example' }])),
    });
  const stateOf = async (name: string) => {
    const { state, checkAfter, checkedAt } = await database.em().findOneOrFail(OwnDomain, { name });
    return { state, isChecked: checkedAt !== null, dueInS: Math.round((checkAfter.getTime() - Date.now()) / 1_000) };
  };
  const age = (name: string, interval: string) =>
    database.pool.query(
      'update own_domain set state_since = now() - $2::interval, check_after = now() where name = $1',
      [name, interval],
    );

  it('finds out by itself that a domain leads to landing, and that it no longer does', async () => {
    const [name = ''] = await givenDomains(1);
    serve([]);
    await check();
    expect(await stateOf(name)).toMatchObject({ state: 'waiting', isChecked: true });
    serve([name]);
    await age(name, '1 minute');
    await check();
    expect(await stateOf(name)).toMatchObject({ state: 'active' });
    dns.serve({ 'go.example': { A: '203.0.113.7' }, [name]: { A: '198.51.100.1' } });
    await age(name, '1 day');
    await check();
    expect(await stateOf(name)).toMatchObject({ state: 'wrong' });
  });

  it('asks soon after a change, and then more and more seldom, at least every six hours', async () => {
    const [name = ''] = await givenDomains(1);
    serve([name]);
    await check();
    expect((await stateOf(name)).dueInS).toBeLessThanOrEqual(30);
    for (const [interval, seconds] of [
      ['20 minutes', 120],
      ['10 hours', 3_600],
      ['100 days', 6 * 3_600],
    ] as const) {
      await age(name, interval);
      await check();
      expect(Math.abs((await stateOf(name)).dueInS - seconds)).toBeLessThan(20);
    }
    // not due
    const before = await database.em().findOneOrFail(OwnDomain, { name });
    await check();
    expect((await database.em().findOneOrFail(OwnDomain, { name })).checkedAt).toEqual(before.checkedAt);
  });

  it('checks many domains in parts, each once, although several consoles do it', async () => {
    const names = await givenDomains(45);
    serve(names);
    await Promise.all([checkAll(), checkAll(), checkAll()]);
    await eventually(async () => {
      const states = await Promise.all(names.map(stateOf));
      expect(states.filter(({ state }) => state !== 'active')).toEqual([]);
    });
  });

  it('leaves a domain as it is while DNS gives no answer, and asks again two minutes later', async () => {
    const [name = ''] = await givenDomains(1);
    dns.serve({ 'go.example': { A: '203.0.113.7' }, [name]: 'SERVFAIL' });
    await check();
    const { dueInS, ...state } = await stateOf(name);
    expect(state).toEqual({ state: 'waiting', isChecked: false });
    expect(Math.abs(dueInS - 120)).toBeLessThan(20);
  });
});
