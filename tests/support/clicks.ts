import { setTimeout as pause } from 'node:timers/promises';
import { type LandingPage, Lead } from '@leadback/db';
import { eventually } from '@leadback/test-fixtures';
import { expect } from 'vitest';
import type { TestStack } from './given-stack.ts';
import { sumIn } from './metrics.ts';
import { givenPace } from './pace.ts';

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

const callersMax = 6;

/** A visitor who was redirected to the page's target with this lead reference. */
export interface Click {
  readonly gclid: string;
  readonly reference: string;
}

/** Visitors of a page, who come until `stop`. */
export interface ComingVisitors {
  /** Waits until `count` more were redirected. */
  more(count: number): Promise<void>;
  /** The last lead reference. */
  last(): string;
  /** Returns all clicks. */
  stop(): Promise<readonly Click[]>;
}

type Stack = Pick<TestStack, 'database' | 'landingUrl' | 'metricsOf'>;

/** Visitors of a page who do not need a browser. One who is not redirected with a lead reference fails the test. */
export const clicksOn = (page: LandingPage, { database, landingUrl, metricsOf }: Stack) => {
  const isDirect = page.mode === 'direct';
  const headers = { 'user-agent': userAgent };

  const click = async (gclid: string): Promise<Click> => {
    const address = `${landingUrl}/${page.slug}?gclid=${gclid}`;
    if (!isDirect) {
      const shown = await fetch(address, { headers });
      expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<form')]);
    }
    const redirect = await fetch(address, { method: isDirect ? 'GET' : 'POST', redirect: 'manual', headers });
    const location = redirect.headers.get('location') ?? '';
    const redirected = [isDirect ? 302 : 303, expect.stringMatching(/\?serviceId=[0-9A-Za-z]{22}$/)];
    expect([redirect.status, location]).toEqual(redirected);
    return { gclid, reference: new URL(location).searchParams.get('serviceId') ?? '' };
  };

  const countLeads = async (where: 'at_broker' | 'on_disk' | 'lost'): Promise<number> =>
    sumIn(await metricsOf('landing'), 'leadback_visits_total', { mode: page.mode, lead: where });

  return {
    click,
    /** Several at the same time; their click ids begin with the name. */
    coming: (name: string, perSecondMax = 100): ComingVisitors => {
      const clicks: Click[] = [];
      const left = new AbortController();
      const pace = givenPace(perSecondMax);
      const callers = Array.from({ length: callersMax }, async (_, caller) => {
        for (let count = 0; !left.signal.aborted; count += 1) {
          clicks.push(await click(`${name}-${caller}-${count}`));
          await pause((1_000 * callersMax) / pace.perSecond());
        }
      });
      return {
        more: (count) => {
          const goal = clicks.length + count;
          return pace.during(eventually(() => expect(clicks.length).toBeGreaterThanOrEqual(goal)));
        },
        last: () => clicks.at(-1)?.reference ?? '',
        stop: async () => {
          left.abort();
          await Promise.all(callers);
          return clicks;
        },
      };
    },
    /** Waits until the running landing app has kept a lead there: on a busy machine, the first ones may be kept elsewhere. */
    areKept: (where: 'at_broker' | 'on_disk'): Promise<void> =>
      eventually(async () => expect(await countLeads(where)).toBeGreaterThan(0)),
    /** How many leads the running landing app has lost. */
    countLost: () => countLeads('lost'),
    /** Waits until the database has the lead of each of these clicks, and no other whose click id begins like theirs. */
    haveLeads: async (clicks: readonly Click[]): Promise<void> => {
      const expected = new Map(clicks.map(({ reference, gclid }) => [reference, gclid]));
      expect(expected.size).toBe(clicks.length);
      const name = clicks[0]?.gclid.split('-')[0] ?? '';
      const ofClicks = { landingPage: page.id, clickParameters: { gclid: { $like: `${name}-%` } } };
      await eventually(async () => expect(await database.em().count(Lead, ofClicks)).toBe(clicks.length));
      for (const { reference, clickParameters } of await database.em().find(Lead, ofClicks))
        expect(clickParameters.gclid).toBe(expected.get(reference));
    },
  };
};

export type Clicks = ReturnType<typeof clicksOn>;
