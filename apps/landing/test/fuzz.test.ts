import { randomInt } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerToBytes, givenLandingPage, testMaxMs } from '@leadback/testing';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';
import { wildVisit } from './wild-visit.ts';

const requestsMax = Number(process.env.FUZZ_REQUESTS ?? 4_000);
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const together = 40;

// a tag, an attribute and a header that only a page could have written that does not escape
const isInjected = (answer: string) => /<fuzz|fuzz"'>|^fuzz:|<script>hit|onerror=hit=true>/im.test(answer);

/** The problem of a response, or undefined. A prefetch of a direct page is declined with 503. */
const problemOf = (answer: string, wire: Buffer): string | undefined => {
  const statuses = Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
  const isPrefetch = /prefetch|prerender|preview/i.test(wire.toString('latin1'));
  if (statuses.some((status) => status >= 500 && !(status === 503 && isPrefetch))) return answer;
  if (isInjected(answer)) return `not escaped: ${answer}`;
  return statuses[0] === undefined ? 'no response' : undefined;
};

/** The heap in use, after its garbage was collected. */
const heapBytes = (): number => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
};
const growthMaxBytes = 20 * 1024 * 1024;

it(
  'landing responds to arbitrary visits without internal errors, and escapes what it shows again',
  async () => {
    const limits = { leadRate: 1_000_000, leadBurst: 1_000_000, visitorBurst: 10_000_000 };
    await using landing = await givenLanding(limits);
    const em = landing.database.em();
    const pages = [
      await givenLandingPage(em, { askedFields: ['name', 'email', 'phone'], consentText: 'I agree' }),
      await givenLandingPage(em, { consentText: 'I agree', consentScope: 'personalisation' }),
      await givenLandingPage(em, { mode: 'direct' }),
    ];
    const slugs = pages.map(({ slug }) => slug);

    const tally = new Map<string, number>();
    let heapAfterStart = 0;
    let sent = 0;
    let escaped = 0;
    const several = fc.array(wildVisit(slugs), { minLength: together, maxLength: together });
    const answered = fc.asyncProperty(several, async (wires) => {
      const answers = await Promise.all(
        wires.map(async (wire) => (await answerToBytes(landing.port, wire)).toString('latin1')),
      );
      for (const answer of answers) {
        const status = answer.slice(9, 12);
        tally.set(status, (tally.get(status) ?? 0) + 1);
        if (answer.includes('&lt;fuzz')) escaped += 1;
      }
      const problems = answers.map((answer, index) => problemOf(answer, wires[index] ?? Buffer.alloc(0)));
      expect(problems.filter(Boolean)).toEqual([]);
      sent += wires.length;
      // caches are full by then
      if (heapAfterStart === 0 && sent >= requestsMax / 4) heapAfterStart = heapBytes();
    });
    const numRuns = Math.ceil(requestsMax / together);
    await fc.assert(answered, { seed, numRuns, endOnFailure: true });

    const grownBytes = heapBytes() - heapAfterStart;
    const counts = [...tally]
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([status, count]) => `${status}: ${count}`);
    process.stdout.write(
      `fuzz of landing: ${sent} requests, seed ${seed}; heap grew ${grownBytes} bytes; ${escaped} with escaped markup; answers ${counts.join(', ')}\n`,
    );
    expect(escaped).toBeGreaterThan(0);
    expect(grownBytes).toBeLessThan(growthMaxBytes);
    for (const status of ['200', '303', '302', '400', '404', '422'])
      expect([status, tally.get(status) ?? 0]).not.toEqual([status, 0]);
    expect((await landing.visit(`/${slugs[0]}`)).status).toBe(200);
  },
  testMaxMs + requestsMax * 10,
);
