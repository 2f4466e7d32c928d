import { type LandingPage, Lead } from '@leadback/db';
import { eventually } from '@leadback/test-fixtures';
import { expect } from 'vitest';
import type { TestStack } from './given-stack.ts';
import { sumIn } from './metrics.ts';
import { givenPace } from './pace.ts';

export const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

const callersMax = 6;

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
  /** Returns all clicks. */
  stop(): Promise<readonly Click[]>;
}

const buffers = ['at_broker', 'on_disk'] as const;
type Buffer = (typeof buffers)[number];

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

  const countLeads = async (where: Buffer | 'lost'): Promise<number> =>
    sumIn(await metricsOf('landing'), 'leadback_visits_total', { mode: page.mode, lead: where });

  return {
    click,
    /** Several at the same time; their click ids begin with the name. Dispose to stop them if the test has not. */
    coming: (name: string, perSecondMax = 100): ComingVisitors => {
      const clicks: Click[] = [];
      const left = new AbortController();
      const pace = givenPace(perSecondMax);
      const buffered = Promise.all(buffers.map(countLeads));
      buffered.catch(() => {}); // `areBuffered` tells the test
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
          const before = (await buffered)[buffers.indexOf(where)] ?? 0;
          await eventually(async () => expect(await countLeads(where)).toBeGreaterThan(before));
        },
        last: () => clicks.at(-1)?.reference ?? '',
        stop,
        [Symbol.asyncDispose]: async () => void (await stop().catch(() => {})),
      };
    },
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
