import { Lead } from '@leadback/db';
import { eventually, givenLandingPage } from '@leadback/test-fixtures';
import { expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';
import { referenceIn } from './reference-in.ts';

it('redirects without a lead, and counts it, when RabbitMQ is unavailable and the spool full, until there is room again', async () => {
  await using landing = await givenLanding({ spoolBytesMax: 64 * 1024 });
  const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
  const countOf = async (series: string) =>
    Number(new RegExp(`^${series}[^}]*\\} (\\d+)`, 'm').exec(await landing.metrics())?.[1]);
  const visit = async () => {
    const { status, location } = await landing.visit(`/${page.slug}`);
    expect(status).toBe(302);
    return referenceIn(location);
  };
  const refused = () => countOf('leadback_lead_buffer_full_total\\{place="disk"');

  await visit();
  landing.loseDatabase();
  const references: string[] = [];
  // a lead is lost, too, if the disk of a busy machine takes longer than a visitor waits for it
  while ((await refused()) === 0) references.push(await visit());
  const stored = references.filter((reference) => reference !== '');
  expect(stored.length).toBeGreaterThan(0);
  // a file takes a block of 4 KiB at least
  expect(stored.length).toBeLessThanOrEqual(16);
  expect(references.at(-1)).toBe('');
  expect(await countOf('leadback_visits_total\\{mode="direct",lead="lost"')).toBe(references.length - stored.length);

  await landing.findDatabaseAgain();
  const recorded = () => landing.database.em().count(Lead, { reference: { $in: stored } });
  await eventually(async () => expect(await recorded()).toBe(stored.length));
  await eventually(async () => {
    landing.loseDatabase();
    const isStored = (await visit()) !== '';
    await landing.findDatabaseAgain();
    expect(isStored).toBe(true);
  });
});
