import { eventually, findLead, givenAccount, givenErased, givenLandingPage } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';
import { referenceIn } from './reference-in.ts';

const person = { name: 'Ana', email: 'Ana@Example.com', phone: '+54 9 11 2345-6789' };

const nothingLeft = {
  ipAddress: null,
  userAgent: null,
  acceptLanguage: null,
  referrer: null,
  landingUrl: null,
  name: null,
  email: null,
  phone: null,
  contact: null,
  emailHash: null,
  clickTimes: null,
  clickParameters: { utm_campaign: 'verano' },
};

describe('a lead that is recorded after an outage', () => {
  it.each([
    ['the email that it has', { emails: ['ana@example.com'] }],
    ['its phone number, written differently', { phoneNumbers: ['011 2345 6789'] }],
  ])('has no personal data if a person was erased by %s meanwhile', async (_, marks) => {
    await using landing = await givenLanding();
    const page = await givenLandingPage(landing.database.em(), { askedFields: ['name', 'email', 'phone'] });
    const account = await page.account.loadOrFail();
    const path = `/${page.slug}?gclid=G1&utm_campaign=verano`;
    await landing.visit(path);
    landing.loseDatabase();
    const erased = await landing.submit(path, person);
    const other = await landing.submit(path, { ...person, email: 'eva@example.com', phone: '+54 9 11 2345-0000' });
    await givenErased(landing.database, account, marks);
    await landing.findDatabaseAgain();

    const recorded = (location: string | undefined) =>
      eventually(() => findLead(landing.database.em(), referenceIn(location)));
    expect(await recorded(erased.location)).toMatchObject(nothingLeft);
    const kept = await recorded(other.location);
    expect(kept).toMatchObject({ email: 'eva@example.com', clickParameters: { gclid: 'G1' } });
  });

  it('has no personal data if it was erased itself, and all if only an earlier visit was', async () => {
    await using landing = await givenLanding();
    const page = await givenLandingPage(landing.database.em(), { askedFields: ['name', 'email', 'phone'] });
    const account = await page.account.loadOrFail();
    const path = `/${page.slug}?gclid=G1&utm_campaign=verano`;
    await landing.visit(path);
    landing.loseDatabase();
    const itself = await landing.submit(path, person);
    const later = await landing.submit(path, { ...person, name: 'Eva' });
    await givenErased(landing.database, account, { leadReferences: [referenceIn(itself.location)] }, -60);
    await givenErased(landing.database, account, { emails: [person.email] }, -60);
    await landing.findDatabaseAgain();

    const recorded = (location: string | undefined) =>
      eventually(() => findLead(landing.database.em(), referenceIn(location)));
    expect(await recorded(itself.location)).toMatchObject(nothingLeft);
    expect(await recorded(later.location)).toMatchObject({ name: 'Eva', email: person.email });
  });

  it('is recorded whole in another account, and as an erasure leaves it in a forgotten one', async () => {
    await using landing = await givenLanding();
    const em = landing.database.em();
    const pages = await Promise.all([1, 2].map(() => givenLandingPage(em, { askedFields: ['email'] })));
    for (const { slug } of pages) await landing.visit(`/${slug}`);
    landing.loseDatabase();
    const visits = [];
    for (const { slug } of pages) visits.push(await landing.submit(`/${slug}`, { email: person.email }));
    await givenErased(landing.database, await givenAccount(em), { emails: [person.email] });
    await landing.database.pool.query('update account set data_key = null where id = $1', [pages[1]?.account.id]);
    await landing.findDatabaseAgain();
    const leads = [];
    for (const { location } of visits) {
      leads.push(await eventually(() => findLead(landing.database.em(), referenceIn(location))));
    }
    expect(leads).toMatchObject([{ email: person.email }, { email: null, contact: null, userAgent: null }]);
  });
});

describe('a visit of an erased person', () => {
  it('leaves a lead without contact data where the account does not register erased persons again', async () => {
    await using landing = await givenLanding();
    const em = landing.database.em();
    const strict = await givenLandingPage(em, { askedFields: ['email'] });
    const open = await givenLandingPage(em, { askedFields: ['email'] });
    for (const page of [strict, open]) {
      await givenErased(landing.database, await page.account.loadOrFail(), { emails: [person.email] }, -60);
    }
    await landing.database.pool.query(`update account set erased_persons = 'suppress' where id = $1`, [
      strict.account.id,
    ]);
    const leadAt = async ({ slug }: { slug: string }) => {
      const { location } = await landing.submit(`/${slug}?gclid=G1`, { email: person.email });
      return findLead(landing.database.em(), referenceIn(location));
    };
    expect(await leadAt(strict)).toMatchObject({ email: null, emailHash: null, clickParameters: { gclid: 'G1' } });
    expect(await leadAt(open)).toMatchObject({ email: person.email });
  });
});
