import * as fc from 'fast-check';
import type { ModelPlatform } from './core.ts';

/** How the platform double responds to a delivery. */
export const replies = ['ok', 'lost', 'rejected', 'too old', 'unavailable', 'throttled', 'refused'] as const;
export type Reply = (typeof replies)[number];

/**
 * Numbers choose among what there is when the step runs, so that every sequence makes sense, and a part of it too:
 * that is what finding the shortest failing sequence needs.
 */
export type Step =
  | { readonly do: 'register'; readonly account: number; readonly orders: readonly Order[] }
  | { readonly do: 'click'; readonly account: number; readonly client: Client; readonly visit: Visit }
  | { readonly do: 'erase'; readonly account: number; readonly client: Client }
  | { readonly do: 'adjust'; readonly sale: number; readonly amount: number }
  | { readonly do: 'claim'; readonly connection: number; readonly deliveries: number }
  | { readonly do: 'claim by hint'; readonly parcel: number }
  | { readonly do: 'isolate a suspect' }
  | { readonly do: 'send'; readonly claim: number; readonly replies: readonly Reply[] }
  | { readonly do: 'settle'; readonly claim: number; readonly times: number }
  | { readonly do: 'deliver'; readonly connection: number; readonly replies: readonly Reply[] }
  | { readonly do: 'crash'; readonly connection: number; readonly replies: readonly Reply[]; readonly times: number }
  | { readonly do: 'kill'; readonly claim: number }
  | { readonly do: 'end a lease'; readonly parcel: number }
  | { readonly do: 'pass pauses' }
  | { readonly do: 'pass days' }
  | { readonly do: 'retry'; readonly deliveries: readonly number[] }
  | { readonly do: 'retry all'; readonly connection: number }
  | { readonly do: 'pause'; readonly connection: number }
  | { readonly do: 'resume'; readonly connection: number }
  | { readonly do: 'connect'; readonly account: number; readonly platform: ModelPlatform }
  | { readonly do: 'backfill'; readonly newest: number; readonly days: number; readonly isDryRun: boolean }
  | { readonly do: 'delete'; readonly connection: number; readonly isDiscarding: boolean }
  | { readonly do: 'end what waits for deleted' }
  | { readonly do: 'look'; readonly account: number };

/** The references of clients. */
const clients = ['C1', 'C2'] as const;
type Client = (typeof clients)[number];

export interface Visit {
  /** So long ago. */
  readonly days: number;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A conversion that a partner registers. There are few numbers, so that most are registered several times. */
export interface Order {
  readonly number: number;
  readonly amount: number;
  readonly isKeyed: boolean;
  readonly buyer: Client | 'nobody';
  /** How many days ago it occurred. 0: now, as the request says nothing of it. */
  readonly days: number;
}

const any = fc.nat({ max: 20 });
const amount = fc.constantFrom(10, 25, 40);
const repliesOfOne = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.constant<Reply>('ok') }, { weight: 4, arbitrary: fc.constantFrom(...replies) }),
  { minLength: 1, maxLength: 3 },
);
const order = fc.record<Order>({
  number: fc.nat({ max: 5 }),
  amount,
  isKeyed: fc.boolean(),
  buyer: fc.constantFrom('C1', 'C1', 'C1', 'C1', 'C1', 'C1', 'C2', 'C2', 'nobody'),
  days: fc.constantFrom(0, 0, 0, 2.5, 5.5, 10.5, 100.5),
});
const days = fc.constantFrom(5, 8, 200);
const visit = fc.record<Visit>({
  days: fc.constantFrom(1, 3, 6, 20),
  parameters: fc.constantFrom<Visit['parameters']>(
    { gclid: 'of Google', utm_campaign: 'spring' },
    { fbclid: 'of Meta' },
    { fbclid: 'of Meta, too', gclid: 'of Google, too' },
    { utm_source: 'newsletter' },
    {},
  ),
});

const of = <const Name extends string, Fields extends object>(
  name: Name,
  fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
) => fc.record(fields).map((chosen) => ({ do: name, ...chosen }));

const register = of('register', { account: any, orders: fc.array(order, { minLength: 1, maxLength: 3 }) });
const step = fc.oneof(
  { weight: 5, arbitrary: register },
  { weight: 3, arbitrary: of('click', { account: any, client: fc.constantFrom(...clients), visit }) },
  { weight: 1, arbitrary: of('erase', { account: any, client: fc.constantFrom(...clients) }) },
  { weight: 4, arbitrary: of('adjust', { sale: any, amount: fc.constantFrom(0, 5, 15, 30, 60) }) },
  { weight: 4, arbitrary: of('claim', { connection: any, deliveries: fc.constantFrom(1, 100) }) },
  { weight: 1, arbitrary: of('claim by hint', { parcel: any }) },
  { weight: 1, arbitrary: of('isolate a suspect', {}) },
  { weight: 4, arbitrary: of('send', { claim: any, replies: repliesOfOne }) },
  { weight: 4, arbitrary: of('settle', { claim: any, times: fc.constantFrom(1, 1, 2) }) },
  { weight: 5, arbitrary: of('deliver', { connection: any, replies: repliesOfOne }) },
  {
    weight: 2,
    arbitrary: of('crash', { connection: any, replies: repliesOfOne, times: fc.integer({ min: 1, max: 7 }) }),
  },
  { weight: 2, arbitrary: of('kill', { claim: any }) },
  { weight: 3, arbitrary: of('end a lease', { parcel: any }) },
  { weight: 3, arbitrary: of('pass pauses', {}) },
  { weight: 1, arbitrary: of('pass days', {}) },
  { weight: 3, arbitrary: of('retry', { deliveries: fc.array(any, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: of('retry all', { connection: any }) },
  { weight: 1, arbitrary: of('pause', { connection: any }) },
  { weight: 2, arbitrary: of('resume', { connection: any }) },
  { weight: 1, arbitrary: of('connect', { account: any, platform: fc.constantFrom('meta', 'google') }) },
  {
    weight: 2,
    arbitrary: of('backfill', { newest: any, days, isDryRun: fc.boolean() }),
  },
  { weight: 1, arbitrary: of('delete', { connection: any, isDiscarding: fc.boolean() }) },
  { weight: 1, arbitrary: of('end what waits for deleted', {}) },
  { weight: 2, arbitrary: of('look', { account: any }) },
);

const account = fc.nat({ max: 2 });
const client = fc.constantFrom(...clients);

/** A client clicks again and buys: as steps of any order, that is rare. */
const returning = fc
  .tuple(account, client, fc.array(visit, { minLength: 1, maxLength: 3 }), order)
  .map(([at, who, visits, sale]): Step[] => [
    ...visits.map((one): Step => ({ do: 'click', account: at, client: who, visit: one })),
    { do: 'register', account: at, orders: [{ ...sale, buyer: who }] },
  ]);

/** An account connects with a platform, and tells it what it has sold before. */
const connecting = fc
  .tuple(
    of('connect', { account, platform: fc.constantFrom('meta', 'google') }),
    of('backfill', { newest: fc.constant(0), days, isDryRun: fc.boolean() }),
  )
  .map((steps): Step[] => [...steps]);

const several = fc.oneof(
  { weight: 30, arbitrary: step.map((one): Step[] => [one]) },
  { weight: 3, arbitrary: returning },
  { weight: 1, arbitrary: connecting },
);

/** Random sequences of what partners, workers, platforms and operators do. */
export const sequences: fc.Arbitrary<readonly Step[]> = fc
  .tuple(register, fc.array(several, { maxLength: 40, size: 'max' }))
  .map(([first, others]) => [first, ...others.flat()]);

const order1: Order = { number: 1, amount: 10, isKeyed: false, buyer: 'C1', days: 0 };
const first: Step = { do: 'register', account: 0, orders: [order1] };
const claim: Step = { do: 'claim', connection: 0, deliveries: 100 };
const sent = (number: number, reply: Reply): Step[] => [
  { do: 'send', claim: number, replies: [reply] },
  { do: 'settle', claim: number, times: 1 },
];
const claimedTwice: readonly Step[] = [first, claim, { do: 'end a lease', parcel: 0 }, claim];

/** Sequences with the transitions that random ones may miss. */
export const rareSequences: readonly (readonly Step[])[] = [
  // a worker reports what it has delivered while another has claimed it, and after that one has settled it
  [...claimedTwice, ...sent(0, 'ok')],
  ...(['unavailable', 'rejected', 'too old'] as const).map((reply) => [
    ...claimedTwice,
    ...sent(1, reply),
    ...sent(0, 'ok'),
    { do: 'retry all', connection: 0 } as const,
  ]),
  ...(['refused', 'rejected', 'too old'] as const).map((reply): Step[] => [
    first,
    claim,
    { do: 'settle', claim: 0, times: 1 },
    { do: 'deliver', connection: 0, replies: [reply] },
    { do: 'retry all', connection: 0 },
  ]),
  // two in one parcel crash workers
  [
    { ...first, orders: [order1, { ...order1, number: 2 }] },
    { do: 'deliver', connection: 0, replies: ['rejected'] },
    { do: 'retry all', connection: 0 },
    { do: 'crash', connection: 0, replies: ['ok'], times: 7 },
  ],
  // what a connection was told of is corrected after its deletion
  [
    first,
    { do: 'deliver', connection: 0, replies: ['ok'] },
    { do: 'delete', connection: 0, isDiscarding: false },
    { do: 'adjust', sale: 0, amount: 5 },
  ],
  // a connection is deleted while something waits for it, and while a worker sends
  [first, { do: 'delete', connection: 0, isDiscarding: true }, { do: 'end what waits for deleted' }],
  [
    first,
    claim,
    { do: 'delete', connection: 0, isDiscarding: true },
    { do: 'end what waits for deleted' },
    ...sent(0, 'ok'),
  ],
  // an account without connections sells, corrects and erases, and connects later
  [
    {
      do: 'register',
      account: 2,
      orders: [order1, { ...order1, number: 2, days: 10.5 }, { ...order1, number: 3, days: 2.5 }],
    },
    { do: 'adjust', sale: 0, amount: 5 },
    { do: 'adjust', sale: 2, amount: 0 },
    { do: 'look', account: 2 },
    { do: 'erase', account: 2, client: 'C1' },
    { do: 'connect', account: 2, platform: 'meta' },
    { do: 'backfill', newest: 0, days: 200, isDryRun: true },
    { do: 'backfill', newest: 0, days: 200, isDryRun: false },
    { do: 'backfill', newest: 0, days: 5, isDryRun: false },
    { do: 'look', account: 2 },
    { do: 'delete', connection: 3, isDiscarding: false },
    { do: 'delete', connection: 3, isDiscarding: true },
    { do: 'delete', connection: 3, isDiscarding: true },
  ],
  // each platform is told of its own click, and of the last correction
  [
    { do: 'click', account: 0, client: 'C1', visit: { days: 6, parameters: { fbclid: 'of Meta' } } },
    { do: 'click', account: 0, client: 'C1', visit: { days: 3, parameters: { gclid: 'of Google' } } },
    first,
    { do: 'adjust', sale: 0, amount: 5 },
    { do: 'adjust', sale: 0, amount: 15 },
    { do: 'deliver', connection: 0, replies: ['unavailable'] },
    { do: 'deliver', connection: 1, replies: ['refused'] },
  ],
];
