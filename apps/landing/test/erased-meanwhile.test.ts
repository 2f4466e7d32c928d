import { type Account } from '@leadback/db';
import { accountMasterKeys, openAccountKey, type PersonMarks, personHashes } from '@leadback/secrets';
import { findLead, givenAccount, givenLandingPage, secretsKeys } from '@leadback/test-fixtures';
import { describe, expect, it, vi } from 'vitest';
import { givenLanding, type TestLanding } from './given-landing.ts';
import { referenceIn } from './reference-in.ts';

const soon = { timeout: 20_000, interval: 50 };
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
  clickTimes: null,
  clickedAt: null,
  clickParameters: { utm_campaign: 'verano' },
};

/** As an erasure notes whom it erased, so many minutes from now. */
const erase = async ({ database }: TestLanding, account: Account, marks: PersonMarks, minutes = 0): Promise<void> => {
  const { dataKey } = account;
  if (!dataKey) throw new Error('the account has no data key');
  await database.pool.query(
    `insert into erased_key (account_id, hash, erased_at)
     select $1, hash, now() + $3 * interval '1 minute' from unnest($2::text[]) hash`,
    [account.id, personHashes(openAccountKey(accountMasterKeys(secretsKeys), account.id, dataKey), marks), minutes],
  );
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
    await erase(landing, account, marks);
    await landing.findDatabaseAgain();

    const recorded = (location: string | undefined) =>
      vi.waitFor(() => findLead(landing.database.em(), referenceIn(location)), soon);
    expect(await recorded(erased.location)).toMatchObject(nothingLeft);
    expect(await recorded(other.location)).toMatchObject({
      email: 'eva@example.com',
      clickParameters: { gclid: 'G1' },
    });
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
    await erase(landing, account, { leadReferences: [referenceIn(itself.location)] }, -60);
    await erase(landing, account, { emails: [person.email] }, -60);
    await landing.findDatabaseAgain();

    const recorded = (location: string | undefined) =>
      vi.waitFor(() => findLead(landing.database.em(), referenceIn(location)), soon);
    expect(await recorded(itself.location)).toMatchObject(nothingLeft);
    expect(await recorded(later.location)).toMatchObject({ name: 'Eva', email: person.email });
  });

  it('is recorded whole in another account, and in one that never had a data key', async () => {
    await using landing = await givenLanding();
    const em = landing.database.em();
    const pages = await Promise.all([1, 2].map(() => givenLandingPage(em, { askedFields: ['email'] })));
    await landing.database.pool.query('update account set data_key = null, encrypts_contacts = false where id = $1', [
      pages[1]?.account.id,
    ]);
    for (const { slug } of pages) await landing.visit(`/${slug}`);
    landing.loseDatabase();
    const visits = [];
    for (const { slug } of pages) visits.push(await landing.submit(`/${slug}`, { email: person.email }));
    await erase(landing, await givenAccount(em), { emails: [person.email] });
    await landing.findDatabaseAgain();
    for (const { location } of visits) {
      const reference = referenceIn(location);
      const lead = await vi.waitFor(() => findLead(landing.database.em(), reference), soon);
      expect(lead.email).toBe(person.email);
    }
  });
});
