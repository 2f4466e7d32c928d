import { type LandingPage, Lead } from '@leadback/db';
import { eventually } from '@leadback/testing';
import { expect } from 'vitest';
import type { TestStack } from './given-stack.ts';
import { sumIn } from './metrics.ts';
import { givenPace } from './pace.ts';

export const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

const callersMax = 6;
// far more than a busy machine needs
const visitsMax = 50;

/** A visitor who was redirected to the page's target with this lead reference. */
export interface Click {
  readonly gclid: string;
  readonly reference: string;
}

/** Visitors of a page, who come until `stop`. */
export interface ComingVisitors extends AsyncDisposable {
  /** Waits until `count` more were redirected. */
  more(count: number): Promise<void>;
  /** Waits until landing has buffered a lead there since they came: on a busy machine, the first ones may be elsewhere. */
  areBuffered(where: Buffer): Promise<void>;
  /** The last lead reference. */
  last(): string;
  /** How many leads landing has lost since they came, besides those whose visitors got no lead reference. */
  countLost(): Promise<number>;
  /** Returns all clicks. */
  stop(): Promise<readonly Click[]>;
}

const counted = ['at_broker', 'on_disk', 'lost'] as const;
type Counted = (typeof counted)[number];
type Buffer = Exclude<Counted, 'lost'>;

type Stack = Pick<TestStack, 'database' | 'landingUrl' | 'logOf' | 'metricsOf'>;

const diskHung = /"the disk did not respond within .*"failed to store a lead/;

/**
 * Visitors of a page who do not need a browser. One who is redirected without a lead reference, because the disk of a busy
 * machine was slower than a visitor waits, comes again; without one for any other reason, or not redirected, fails the test.
 */
export const clicksOn = (page: LandingPage, { database, landingUrl, logOf, metricsOf }: Stack) => {
  const isDirect = page.mode === 'direct';
  const headers = { 'user-agent': userAgent };

  /** Returns the lead reference, or null without one. */
  const visit = async (gclid: string): Promise<string | null> => {
    const address = `${landingUrl}/${page.slug}?gclid=${gclid}`;
    if (!isDirect) {
      const shown = await fetch(address, { headers });
      expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<form')]);
    }
    const redirect = await fetch(address, { method: isDirect ? 'GET' : 'POST', redirect: 'manual', headers });
    const location = redirect.headers.get('location') ?? '';
    const redirected = [
      isDirect ? 302 : 303,
      expect.stringMatching(/^https:[^?]+(\?((?!serviceId)\w+=[^&]*&)*serviceId=[0-9A-Za-z]{22})?$/),
    ];
    expect([redirect.status, location]).toEqual(redirected);
    return new URL(location).searchParams.get('serviceId');
  };

  const timesDiskHung = async () => (await logOf('landing')).split('\n').filter((line) => diskHung.test(line)).length;

  /** The click ids of visits without a lead reference. The lead of one may still be stored, later. */
  const withoutLead: string[] = [];
  const click = async (gclid: string): Promise<Click> => {
    for (let visits = 0; visits < visitsMax; visits += 1) {
      const reference = await visit(gclid);
      if (reference !== null) return { gclid, reference };
      withoutLead.push(gclid);
      await eventually(async () => expect(await timesDiskHung()).toBeGreaterThanOrEqual(withoutLead.length));
    }
    throw new Error(`landing redirected ${visitsMax} visits in a row without a lead reference`);
  };

  const countLeads = async (where: Counted): Promise<number> =>
    sumIn(await metricsOf('landing'), 'leadback_visits_total', { mode: page.mode, lead: where });

  return {
    click,
    /** Several at the same time; their click ids begin with the name. Dispose to stop them if the test has not. */
    coming: (name: string, perSecondMax = 100): ComingVisitors => {
      const clicks: Click[] = [];
      const left = new AbortController();
      const pace = givenPace(perSecondMax);
      const withoutBefore = withoutLead.length;
      const before = Promise.all(counted.map(countLeads));
      before.catch(() => {}); // `areBuffered` and `countLost` tell the test
      const countSince = async (where: Counted) =>
        (await countLeads(where)) - ((await before)[counted.indexOf(where)] ?? 0);
      const calling = Promise.all(
        Array.from({ length: callersMax }, async (_, caller) => {
          for (let count = 0; ; count += 1) {
            await pace.turn();
            if (left.signal.aborted) return;
            clicks.push(await click(`${name}-${caller}-${count}`));
          }
        }),
      );
      calling.catch(() => {}); // `more` and `stop` tell the test
      const stop = async () => {
        left.abort();
        await calling;
        return clicks;
      };
      return {
        more: async (count) => {
          const goal = clicks.length + count;
          const come = eventually(() => expect(clicks.length).toBeGreaterThanOrEqual(goal));
          await pace.during(Promise.race([come, calling]));
        },
        areBuffered: async (where) => {
          await eventually(async () => expect(await countSince(where)).toBeGreaterThan(0));
        },
        last: () => clicks.at(-1)?.reference ?? '',
        countLost: async () => (await countSince('lost')) - (withoutLead.length - withoutBefore),
        stop,
        [Symbol.asyncDispose]: async () => void (await stop().catch(() => {})),
      };
    },
    /**
     * Waits until the database has the lead of each of these clicks, and no other whose click id begins like theirs, except of
     * visits without a lead reference.
     */
    haveLeads: async (clicks: readonly Click[]): Promise<void> => {
      const references = new Set(clicks.map(({ reference }) => reference));
      expect(references.size).toBe(clicks.length);
      const name = clicks[0]?.gclid.split('-')[0] ?? '';
      const ofClicks = { landingPage: page.id, clickParameters: { gclid: { $like: `${name}-%` } } };
      await eventually(
        async () => {
          const leads = await database.em().find(Lead, ofClicks);
          const stored = new Map(leads.map(({ reference, clickParameters }) => [reference, clickParameters.gclid]));
          expect(clicks.filter(({ reference, gclid }) => stored.get(reference) !== gclid)).toEqual([]);
          const others = leads.filter(({ reference }) => !references.has(reference));
          const unexplained = others.filter(({ clickParameters: { gclid = '' } }) => !withoutLead.includes(gclid));
          expect(unexplained).toEqual([]);
        },
        { interval: 250 },
      );
    },
  };
};

export type Clicks = ReturnType<typeof clicksOn>;
