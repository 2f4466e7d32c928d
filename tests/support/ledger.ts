import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { givenClient, unique } from '@leadback/test-fixtures';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { givenPartner, type Partner } from './given-partner.ts';
import type { TestStack } from './given-stack.ts';

/** One conversion that a partner asked for, and everything that it was told. */
export interface Entry {
  readonly partner: Partner;
  /** Its `conversionExternalReference`, which no other has. */
  readonly reference: string;
  readonly isKeyed: boolean;
  /** The connections that the account had when it was asked for. */
  readonly connections: readonly number[];
  /** Of each time it was asked for; undefined where no answer came. */
  readonly statuses: (number | undefined)[];
  /** The conversion's id, by every 201. */
  readonly ids: number[];
}

export interface Load {
  /** Waits until so many more have been asked for. */
  more(count: number): Promise<void>;
  /** Gives all that were asked for. */
  stop(): Promise<readonly Entry[]>;
}

export interface Ledger {
  /** One more partner, with a client. */
  join(): Promise<Partner>;
  readonly entries: readonly Entry[];
  /** Words that are in all that is personal or secret: of partners, of their clients and of what these have bought. */
  readonly canaries: readonly string[];
  /** Asks for so many conversions, several at a time, for each partner in turn or for one. */
  register(count: number, partner?: Partner): Promise<readonly Entry[]>;
  /** Asks for conversions until it is stopped, as fast as they are answered or at most so many in a second. */
  load(perSecondMax?: number): Load;
  /** Asks again, with the same idempotency key, for what was not answered. */
  repeat(entries: readonly Entry[]): Promise<void>;
}

const callersMax = 6;
const created = z.object({ id: z.number() });

/** What partners asked for and were told, to be compared with what became of it. Half of them use idempotency keys. */
export const givenLedger = async (stack: TestStack, partnersCount = 2): Promise<Ledger> => {
  const partners: Partner[] = [];
  const canary = unique('canary');
  const canaries = [canary];
  const clientReference = `customer-${canary}`;
  const join = async () => {
    const partner = await givenPartner(stack);
    const phoneNumber = `+54${randomInt(1e10, 1e11)}`;
    const client = await givenClient(stack.database.em(), {
      account: partner.account,
      externalReference: clientReference,
      name: `Ana ${canary}`,
      email: `${canary}@x.example`,
      phoneNumber,
      lead: { clickParameters: { gclid: unique(canary), fbclid: unique(canary) } },
    });
    canaries.push(phoneNumber.slice(1), partner.key, (await client.lead.loadOrFail()).reference);
    partners.push(partner);
    return partner;
  };
  while (partners.length < partnersCount) await join();
  const entries: Entry[] = [];

  const ask = async ({ partner, reference, isKeyed, statuses, ids }: Entry): Promise<void> => {
    const conversion = { clientExternalReference: clientReference, conversionExternalReference: reference };
    const body = { ...conversion, amount: 10, currency: 'USD' };
    const reply = await partner
      .post('/client/conversion', body, isKeyed ? { idempotencyKey: reference } : {})
      .catch(() => undefined);
    statuses.push(reply?.status);
    if (reply?.status === 201) ids.push(created.parse(reply.body).id);
  };
  const enter = (partner = partners[entries.length % partners.length]): Entry => {
    if (!partner) throw new Error('a ledger has at least one partner');
    const isKeyed = Math.floor(entries.length / partners.length) % 2 === 1;
    const connections = [partner.meta.id, partner.google.id];
    const entry = { partner, reference: unique(canary), isKeyed, connections, statuses: [], ids: [] };
    entries.push(entry);
    return entry;
  };
  /** Lets some callers each ask for one after the other, as long as there is something to ask for. */
  const call = (next: () => Promise<Entry | undefined>): Promise<unknown> =>
    Promise.all(
      Array.from({ length: callersMax }, async () => {
        for (let entry = await next(); entry; entry = await next()) await ask(entry);
      }),
    );

  return {
    join,
    entries,
    canaries,
    async register(count, partner) {
      const ours: Entry[] = [];
      await call(async () => (ours.length < count ? ours[ours.push(enter(partner)) - 1] : undefined));
      return ours;
    },
    load(perSecondMax = Number.POSITIVE_INFINITY) {
      const ours: Entry[] = [];
      const enough = new AbortController();
      const calling = call(async () => {
        await pause((1_000 * callersMax) / perSecondMax);
        return enough.signal.aborted ? undefined : ours[ours.push(enter()) - 1];
      });
      return {
        more: (count) => {
          const goal = ours.length + count;
          return vi.waitFor(() => expect(ours.length).toBeGreaterThanOrEqual(goal), { timeout: 60_000, interval: 20 });
        },
        stop: async () => {
          enough.abort();
          await calling;
          return ours;
        },
      };
    },
    async repeat(unanswered) {
      const left = unanswered.filter(({ isKeyed, ids }) => isKeyed && ids.length === 0);
      await call(async () => left.shift());
    },
  };
};
