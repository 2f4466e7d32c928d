import { localUrl } from '@leadback/local-stack';
import { givenLandingPage } from '@leadback/test-fixtures';
import { expect, it } from 'vitest';
import { balancedUrl } from '../../support/balanced-url.ts';
import { clicksOn } from '../../support/clicks.ts';
import { violationsAfter } from '../../support/facts.ts';
import { givenEarlierVersion } from '../../support/given-earlier-version.ts';
import { givenPorts, givenStack, type RunningApp, type TestStack } from '../../support/given-stack.ts';
import { givenLedger } from '../../support/ledger.ts';
import { say } from '../../support/say.ts';

const apps = ['feedback-worker', 'api', 'landing'] as const;
const portOf = (url: string) => Number(new URL(url).port);

// versions before 26 November take the encoded Unix socket of a test database for a name on the network
const asBefore = { isBundled: false, settings: { ALLOW_UNENCRYPTED_SERVERS: 'true' } };

/** All apps of one version, on ports of their own. */
const givenVersion = async (stack: TestStack, root?: string) => {
  const ports = await givenPorts();
  const place = { ports, platformUrl: stack.sandbox.url, ...(root !== undefined && { root, ...asBefore }) };
  let running: readonly RunningApp[] = [];
  return {
    ports,
    start: async () => {
      running = await Promise.all(apps.map((name) => stack.start(name, place)));
    },
    stop: async () => {
      await Promise.all(running.map((app) => app.stop()));
    },
  };
};

it('apps of an earlier version and of this one, beside each other and on one database, lose and double nothing', async () => {
  const { version, root } = await givenEarlierVersion();
  await using stack = await givenStack();
  const [earlier, current] = [await givenVersion(stack, root), await givenVersion(stack)];
  const both = [earlier, current];
  await using _api = await balancedUrl(
    both.map(({ ports }) => localUrl(ports.api)),
    portOf(stack.apiUrl),
  );
  await using _landing = await balancedUrl(
    both.map(({ ports }) => localUrl(ports.landing)),
    portOf(stack.landingUrl),
  );
  const ledger = await givenLedger(stack);
  const clicks = clicksOn(await givenLandingPage(stack.database.em()), stack);

  await earlier.start();
  const load = ledger.load(50);
  await using coming = clicks.coming('mixed', 20);
  const more = (count: number) => Promise.all([load.more(5 * count), coming.more(count)]);
  await more(20);
  // the roll-out, and the way back
  await current.start();
  await more(60);
  await earlier.stop();
  await more(20);
  await earlier.start();
  await more(60);
  await current.stop();
  await more(20);

  const entries = await load.stop();
  expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
  await clicks.haveLeads(await coming.stop());
  expect(await violationsAfter(stack, ledger)).toEqual([]);
  say(`${version}: ${entries.length} conversions were accepted`);
}, 600_000);
