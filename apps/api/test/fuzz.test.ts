import { randomInt } from 'node:crypto';
import { answerToBytes, givenAccount, givenApiKey, givenClient, givenConnection, testMaxMs } from '@leadback/testing';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';
import { wildRequest } from './wild-request.ts';

const requestsMax = Number(process.env.FUZZ_REQUESTS ?? 4_000);
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
// as many batches as the api runs of an account: it refuses more as `overloaded`, which a slow machine would see
const together = 8;

const errorShape = z.strictObject({ message: z.string().min(1) });

/** The problem of a response, or undefined. */
const problemOf = (answer: string, wire: Buffer): string | undefined => {
  const statuses = Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
  if (statuses.some((status) => status >= 500)) return answer;
  const [status = 0] = statuses;
  if (statuses.length !== 1 || status < 400) return undefined;
  if (!/^x-request-id: \S+\r$/im.test(answer)) return `no x-request-id: ${answer}`;
  if (wire.toString('latin1').startsWith('HEAD')) return undefined;
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  return errorShape.safeParse(JSON.parse(body)).success ? undefined : `not the shape of an error: ${answer}`;
};

it(
  'responds to arbitrary bytes without internal errors and without open connections',
  async () => {
    await using api = await givenApi();
    const em = api.database.em();
    const account = await givenAccount(em);
    await givenConnection(em, { account });
    const client = await givenClient(em, { account, externalReference: 'C1', email: 'ana@x.example' });
    const key = await givenApiKey(em, { account });
    const { reference: leadReference } = await client.lead.loadOrFail();

    const tally = new Map<string, number>();
    const several = fc.array(wildRequest({ key, leadReference }), { minLength: together, maxLength: together });
    const answered = fc.asyncProperty(several, async (wires) => {
      const answers = await Promise.all(wires.map(async (wire) => (await answerToBytes(api.port, wire)).toString()));
      for (const answer of answers) {
        const status = answer.slice(9, 12);
        tally.set(status, (tally.get(status) ?? 0) + 1);
      }
      expect(
        answers.map((answer, index) => problemOf(answer, wires[index] ?? Buffer.alloc(0))).filter(Boolean),
      ).toEqual([]);
    });
    const numRuns = Math.ceil(requestsMax / together);
    await fc.assert(answered, { seed, numRuns, endOnFailure: true });

    const counts = [...tally]
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([status, count]) => `${status}: ${count}`);
    process.stdout.write(`fuzz: ${numRuns * together} requests, seed ${seed}; answers ${counts.join(', ')}\n`);
    expect(tally.get('')).toBeUndefined();
    expect(tally.get('201')).toBeGreaterThan(0);
    expect(tally.get('400')).toBeGreaterThan(0);
    expect((await api.send('GET', '/api/v1/', { key })).status).toBe(200);
  },
  testMaxMs + requestsMax * 10,
);
