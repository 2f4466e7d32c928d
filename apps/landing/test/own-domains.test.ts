import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connect } from 'node:net';
import { once } from 'node:events';
import { type LandingPage, OwnDomain } from '@leadback/db';
import { givenAccount, hiddenFieldsIn, eventually, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cookieSet, givenLanding, handlesIn, referenceIn, sentBack, type TestLanding } from './given-landing.ts';

type Account = Awaited<ReturnType<typeof givenAccount>>;

const addDomain = async ({ database }: TestLanding, account: Pick<Account, 'id'>, name: string): Promise<void> => {
  const em = database.em();
  em.create(OwnDomain, { account: account.id, name });
  await em.flush();
};

const at = (host: string) => ({ headers: { host } });
const newSite = () => `${unique('shop')}.example`;
const get = (target: string) => `GET ${target} HTTP/1.1`;

describe('the domain of an account', async () => {
  const landing = await shared(givenLanding());

  /** An account with a domain that the app knows, and a direct page. */
  const givenDomain = async (content: Parameters<typeof landing.givenPage>[0] = {}) => {
    const account = await givenAccount(landing.database.em());
    const site = newSite();
    const name = `go.${site}`;
    await addDomain(landing, account, name);
    const page = await landing.givenPage({
      account,
      mode: 'direct',
      targetUrl: `https://www.${site}/offer`,
      ...content,
    });
    await eventually(async () => expect((await allowed(name)).status).toBe(200));
    await eventually(async () => expect((await landing.visit(`/${page.slug}`)).status).toBeLessThan(400));
    return { account, site, name, page };
  };
  const allowed = (name: string) => landing.askOperations(`/domains/allowed?domain=${name}`);

  it('shows the pages of its account, and no other page', async () => {
    const { name, page } = await givenDomain();
    const other = await landing.givenPage({ mode: 'direct' });
    expect((await landing.visit(`/${page.slug}?gclid=G`, at(name))).location).toContain(page.targetUrl);
    expect((await landing.visit(`/${other.slug}`)).status).toBe(302);
    expect((await landing.visit(`/${other.slug}`, at(name))).status).toBe(404);
    expect((await landing.visit('/no-such-page', at(name))).status).toBe(404);
    expect((await landing.visit('/', at(name))).status).toBe(404);
  });

  it('has its own slugs: the same one leads to the page of each account', async () => {
    const slug = unique('mates');
    const ofInstallation = await landing.givenPage({ mode: 'direct', slug, targetUrl: 'https://first.example/' });
    const { name, page } = await givenDomain({ slug: `${slug}-2`, ownSlug: slug });
    expect((await landing.visit(`/${slug}`, at(name))).location).toContain(page.targetUrl);
    expect((await landing.visit(`/${slug}-2`, at(name))).status).toBe(404);
    expect((await landing.visit(`/${slug}`)).location).toContain(ofInstallation.targetUrl);
    expect((await landing.visit(`/${slug}-2`)).location).toContain(page.targetUrl);
  });

  it('reads a changed link there as kindly as on the host of the installation', async () => {
    const { name, page } = await givenDomain();
    const reply = await landing.visit(`//${page.slug.toUpperCase()}&gclid=G`, at(name));
    expect(reply.location).toContain('gclid=G');
  });

  it('records the lead of a form, shows it to its visitor, and lets them erase it, all there', async () => {
    const { name, page } = await givenDomain({ mode: 'page', consentText: 'Share?', askedFields: ['email'] });
    const { html } = await landing.visit(`/${page.slug}`, at(name));
    const form = { ...hiddenFieldsIn(html), email: 'ada@example.com', consent: 'yes' };
    const headers = { host: name, origin: `https://${name}` };
    const left = await landing.visit(`/${page.slug}`, { form, headers });
    expect(await landing.leadOf(left)).toMatchObject({ consent: true });
    const seen = await landing.visit('/data', { headers: { ...sentBack(left), host: name } });
    const [handle = ''] = handlesIn(seen.html);
    const erased = await landing.visit('/data/erase', {
      form: { handle, confirmed: 'yes' },
      headers: { ...sentBack(left), host: name, origin: `https://${name}` },
    });
    const [receipt = ''] = /\/data\/receipt\/\w{22}/.exec(erased.html) ?? [];
    expect((await landing.visit(receipt, at(name))).status).toBe(200);
  });

  it('sends HSTS and the other security headers there', async () => {
    const { name, page } = await givenDomain();
    const ofInstallation = await landing.visit(`/${page.slug}`, { headers: { 'x-forwarded-proto': 'https' } });
    const there = await landing.visit(`/${page.slug}`, { headers: { host: name, 'x-forwarded-proto': 'https' } });
    const hsts = 'strict-transport-security';
    expect(there.headers[hsts]).toBe('max-age=31536000');
    const known = ({ headers }: typeof there) => Object.keys(headers).filter((header) => header !== 'set-cookie');
    expect(known(there)).toEqual(known(ofInstallation));
  });

  it('lets the target page of the same site read the reference by a cookie, and sets none for another site', async () => {
    const { name, site, page, account } = await givenDomain();
    const there = await landing.visit(`/${page.slug}?gclid=G`, {
      headers: { host: name, 'x-forwarded-proto': 'https' },
    });
    const reference = referenceIn(there.location);
    expect(cookieSet(there, 'leadback')).toMatch(
      new RegExp(`^leadback=${reference}\\.\\d{10}; Max-Age=7776000; Domain=${site}; Path=/; Secure; SameSite=Lax$`),
    );
    const elsewhere = await landing.givenPage({ account, mode: 'direct', targetUrl: 'https://elsewhere.example/' });
    await eventually(async () => expect((await landing.visit(`/${elsewhere.slug}`, at(name))).status).toBe(302));
    for (const reply of [
      await landing.visit(`/${page.slug}?gclid=G`),
      await landing.visit(`/${elsewhere.slug}?gclid=G`, at(name)),
      // a visitor who does not want to be recognized, and one who is none
      await landing.visit(`/${page.slug}?gclid=G`, { headers: { host: name, 'sec-gpc': '1' } }),
      await landing.visit(`/${page.slug}?gclid=G`, { headers: { host: name, 'user-agent': 'Googlebot/2.1' } }),
    ]) {
      expect([reply.status, cookieSet(reply, 'leadback')]).toEqual([302, '']);
    }
  });

  it('sets no cookie for a whole public suffix, on which strangers have their hosts', async () => {
    const account = await givenAccount(landing.database.em());
    await addDomain(landing, account, `${unique('a')}.github.io`);
    const name = `${unique('b')}.github.io`;
    await addDomain(landing, account, name);
    const page = await landing.givenPage({ account, mode: 'direct', targetUrl: 'https://other.github.io/' });
    await eventually(async () => expect((await landing.visit(`/${page.slug}`, at(name))).status).toBe(302));
    await eventually(async () => expect((await allowed(name)).status).toBe(200));
    expect(cookieSet(await landing.visit(`/${page.slug}`, at(name)), 'leadback')).toBe('');
  });

  it('is known by its name with any port, in capitals, and with a full stop at its end', async () => {
    const { name, page } = await givenDomain();
    const other = await landing.givenPage({ mode: 'direct' });
    for (const host of [`${name}:443`, `${name}:8443`, name.toUpperCase(), `${name}.`, `${name}.:443`]) {
      expect([host, (await landing.visit(`/${page.slug}`, at(host))).status]).toEqual([host, 302]);
      expect([host, (await landing.visit(`/${other.slug}`, at(host))).status]).toEqual([host, 404]);
    }
  });

  /** The status of a request with these lines. */
  const raw = async (...lines: readonly string[]): Promise<string> => {
    const socket = connect(landing.port, '127.0.0.1');
    socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await once(socket, 'close');
    return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? text;
  };

  it('is chosen by the header Host alone, and by nothing that a proxy hands on or that is there twice', async () => {
    const { name, page } = await givenDomain();
    const other = await landing.givenPage({ mode: 'direct' });
    const statusOf = async (headers: Record<string, string>) =>
      (await landing.visit(`/${other.slug}`, { headers })).status;
    expect(await statusOf({ 'x-forwarded-host': name })).toBe(302);
    expect(await statusOf({ host: name, 'x-forwarded-host': 'go.example' })).toBe(404);
    expect(await statusOf({ forwarded: `host=${name}` })).toBe(302);
    const agent = 'User-Agent: Mozilla/5.0 Chrome/130.0.0.0';
    expect(await raw(get(`/${page.slug}`), `Host: ${name}`, 'Host: go.example', agent)).toBe('400');
    expect(await raw(get(`/${page.slug}`), agent)).toBe('400');
    expect(await raw(get(`/${page.slug}`), 'Host:', agent)).toBe('302');
    expect(await raw(get(`http://${name}/${page.slug}`), `Host: ${name}`, agent)).toBe('302');
    expect(await raw(get(`http://go.example/${other.slug}`), `Host: ${name}`, agent)).toBe('404');
    expect(await raw(get(`/${other.slug}`), `Host: ${name}@go.example`, agent)).toBe('302');
  });

  it('is an unknown host, like all others, which show the pages of the installation, once it is removed', async () => {
    const { name, page } = await givenDomain();
    const other = await landing.givenPage({ mode: 'direct' });
    expect((await landing.visit(`/${other.slug}`, at('unknown.example'))).status).toBe(302);
    await landing.database.pool.query('update own_domain set removed_at = now(), changed_at = now() where name = $1', [
      name,
    ]);
    await eventually(async () => expect((await allowed(name)).status).toBe(404));
    expect((await landing.visit(`/${page.slug}`, at(name))).status).toBe(302);
    expect((await landing.visit(`/${other.slug}`, at(name))).status).toBe(302);
  });

  it('shows the pages of the account that has it now, whichever had it before', async () => {
    const { name, page } = await givenDomain();
    const account = await givenAccount(landing.database.em());
    const its = await landing.givenPage({ account, mode: 'direct' });
    // in one transaction: both changes have one time
    await landing.database.pool.query(
      `with lost as (update own_domain set removed_at = now(), changed_at = now() where name = $1 returning name)
       insert into own_domain (account_id, name) select $2, name from lost`,
      [name, account.id],
    );
    await eventually(async () => expect((await landing.visit(`/${its.slug}`, at(name))).status).toBe(302));
    expect((await landing.visit(`/${page.slug}`, at(name))).status).toBe(404);
  });

  it('is allowed a certificate in small letters, exactly as it was added, and nothing else is', async () => {
    const { name } = await givenDomain();
    expect((await allowed(name.toUpperCase())).status).toBe(200);
    const others = ['', `${name}.`, `x.${name}`, name.slice(3), `${name}:443`, 'go.example', '127.0.0.1', `${name}%00`];
    for (const one of others) expect([one, (await allowed(one)).status]).toEqual([one, 404]);
    expect((await landing.askOperations('/domains/allowed')).status).toBe(404);
    expect((await landing.askOperations(`/domains/allowed?domain=${name}&domain=${name}`)).status).toBe(404);
    // strangers cannot ask
    expect((await landing.visit(`/domains/allowed?domain=${name}`)).status).toBe(404);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = z.custom<() => void>().parse(runInNewContext('gc'));

const heapBytes = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

it('keeps 10,000 domains in less than 3 MB, reads no database for a request, and allows certificates without it, also after a restart', async () => {
  await using earlier = await givenLanding();
  const account = await givenAccount(earlier.database.em());
  const page: LandingPage = await earlier.givenPage({ account, mode: 'direct' });
  await earlier.heardOfNews();
  const before = heapBytes();
  await earlier.database.pool.query(
    `insert into own_domain (account_id, name) select $1, 'go.shop-' || n || '.example' from generate_series(1, 10000) n`,
    [account.id],
  );
  const last = 'go.shop-10000.example';
  const allows = async (landing: TestLanding) =>
    (await landing.askOperations(`/domains/allowed?domain=${last}`)).status;
  await eventually(async () => expect(await allows(earlier)).toBe(200));
  const bytes = heapBytes() - before;
  expect(bytes).toBeLessThan(3_000_000);
  const isSaved = async () => {
    await using restarted = await givenLanding({ after: earlier });
    expect(await allows(restarted)).toBe(200);
    const there = { headers: { host: last } };
    expect((await restarted.visit(`/${page.slug}?gclid=G`, there)).location).toContain('serviceId=');
    expect((await restarted.visit('/no-such-page', there)).status).toBe(404);
  };
  await eventually(isSaved);
  earlier.loseDatabase();
  const startedAt = performance.now();
  for (let asked = 0; asked < 100; asked += 1) expect(await allows(earlier)).toBe(200);
  expect((performance.now() - startedAt) / 100).toBeLessThan(20);
  expect((await earlier.visit(`/${page.slug}?gclid=G`, { headers: { host: last } })).status).toBe(302);
  expect((await earlier.visit('/no-such-page', { headers: { host: last } })).status).toBe(404);
  expect((await earlier.visit('/no-such-page')).status).toBe(503);
});
