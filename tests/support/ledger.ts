import { randomInt } from 'node:crypto';
import { eventually, givenClient, unique } from '@leadback/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { givenPartner, type Partner } from './given-partner.ts';
import type { TestStack } from './given-stack.ts';
import { givenPace } from './pace.ts';

/** One conversion that a partner requested, and all responses. */
export interface Entry {
  readonly partner: Partner;
  /** Its unique `conversionExternalReference`. */
  readonly reference: string;
  readonly isKeyed: boolean;
  /** As it is requested. */
  readonly conversion: Readonly<Record<string, unknown>>;
  /** The connections of the account at the time of the request. */
  readonly connections: readonly number[];
  /** One per request; undefined if there was no response. */
  readonly statuses: (number | undefined)[];
  /** One per response with 201. */
  readonly ids: number[];
}

export interface Load {
  /** Waits until `count` more were requested. */
  more(count: number): Promise<void>;
  /** Returns all that were requested. */
  stop(): Promise<readonly Entry[]>;
}

export interface Ledger {
  /** Adds a partner with a client. */
  join(): Promise<Partner>;
  /** A partner with a client that no load is for. */
  bystander(): Promise<Partner>;
  readonly entries: readonly Entry[];
  /** Texts that all personal or secret data of the ledger contain. */
  readonly canaries: readonly string[];
  /** Adds conversions that the test requests by itself. */
  enter(count: number, partner?: Partner): readonly Entry[];
  /** Requests `count` conversions concurrently, for one partner or for each in turn. They occur now by default. */
  register(count: number, partner?: Partner, occurredAt?: Date): Promise<readonly Entry[]>;
  /** Requests conversions until it is stopped, at most `perSecondMax`, and few while nobody waits for more of them. */
  load(perSecondMax?: number): Load;
  /** Retries requests without a response that have an idempotency key. */
  repeat(entries: readonly Entry[]): Promise<void>;
}

const callersMax = 6;
// far longer than a busy machine needs for a request
const requestMaxMs = 200;
const requestsMaxMs = 60_000;
const created = z.object({ id: z.number() });

/** Records requests and responses of partners, for the oracle. Half of the requests have idempotency keys. */
export const givenLedger = async (
  stack: Pick<TestStack, 'database' | 'apiUrl'>,
  partnersCount = 2,
): Promise<Ledger> => {
  const partners: Partner[] = [];
  const canary = unique('canary');
  const canaries = [canary];
  const clientReference = `customer-${canary}`;
  const newPartner = async () => {
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
    return partner;
  };
  const join = async () => {
    const partner = await newPartner();
    partners.push(partner);
    return partner;
  };
  let bystander: Promise<Partner> | undefined;
  while (partners.length < partnersCount) await join();
  const entries: Entry[] = [];

  const ask = async ({ partner, reference, isKeyed, conversion, statuses, ids }: Entry): Promise<void> => {
    const reply = await partner
      .post('/client/conversion', conversion, isKeyed ? { idempotencyKey: reference } : {})
      .catch(() => undefined);
    statuses.push(reply?.status);
    if (reply?.status === 201) ids.push(created.parse(reply.body).id);
  };
  const enter = (partner = partners[entries.length % partners.length], occurredAt?: Date): Entry => {
    if (!partner) throw new Error('a ledger has at least one partner');
    const isKeyed = Math.floor(entries.length / partners.length) % 2 === 1;
    const connections = [partner.meta.id, partner.google.id];
    const reference = unique(canary);
    const names = { clientExternalReference: clientReference, conversionExternalReference: reference };
    const conversion = { ...names, amount: 10, currency: 'USD', occurredAt };
    const entry = { partner, reference, isKeyed, conversion, connections, statuses: [], ids: [] };
    entries.push(entry);
    return entry;
  };
  /** Runs several callers, each sequentially, until `next` returns undefined. */
  const call = (next: () => Promise<Entry | undefined>): Promise<unknown> =>
    Promise.all(
      Array.from({ length: callersMax }, async () => {
        for (let entry = await next(); entry; entry = await next()) await ask(entry);
      }),
    );

  return {
    join,
    bystander: () => (bystander ??= newPartner()),
    entries,
    canaries,
    enter: (count, partner) => Array.from({ length: count }, () => enter(partner)),
    async register(count, partner, occurredAt) {
      const ours: Entry[] = [];
      await call(async () => (ours.length < count ? ours[ours.push(enter(partner, occurredAt)) - 1] : undefined));
      return ours;
    },
    load(perSecondMax = Number.POSITIVE_INFINITY) {
      const ours: Entry[] = [];
      const enough = new AbortController();
      const pace = givenPace(perSecondMax);
      const calling = call(async () => {
        await pace.turn();
        return enough.signal.aborted ? undefined : ours[ours.push(enter()) - 1];
      });
      return {
        more: (count) => {
          const goal = ours.length + count;
          const timeout = Math.max(requestsMaxMs, count * requestMaxMs);
          return pace.during(
            eventually(() => expect(ours.length).toBeGreaterThanOrEqual(goal), { timeout, interval: 20 }),
          );
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
