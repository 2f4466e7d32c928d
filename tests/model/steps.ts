import * as fc from 'fast-check';

/** How the platform double responds to a delivery. */
export const replies = ['ok', 'lost', 'rejected', 'too old', 'unavailable', 'throttled', 'refused'] as const;
export type Reply = (typeof replies)[number];

/**
 * Numbers choose among what there is when the step runs, so that every sequence makes sense, and a part of it too:
 * that is what finding the shortest failing sequence needs.
 */
export type Step =
  | { readonly do: 'register'; readonly account: number; readonly orders: readonly Order[] }
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
  | { readonly do: 'resume'; readonly connection: number };

/** A conversion that a partner registers. There are few numbers, so that most are registered several times. */
export interface Order {
  readonly number: number;
  readonly amount: number;
  readonly isKeyed: boolean;
  readonly isOfKnownClient: boolean;
}

const any = fc.nat({ max: 20 });
const amount = fc.constantFrom(10, 25, 40);
const several = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.constant<Reply>('ok') }, { weight: 4, arbitrary: fc.constantFrom(...replies) }),
  { minLength: 1, maxLength: 3 },
);
const order = fc.record<Order>({
  number: fc.nat({ max: 5 }),
  amount,
  isKeyed: fc.boolean(),
  isOfKnownClient: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
});

const of = <const Name extends string, Fields extends object>(
  name: Name,
  fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
) => fc.record(fields).map((chosen) => ({ do: name, ...chosen }));

const register = of('register', { account: any, orders: fc.array(order, { minLength: 1, maxLength: 3 }) });
const step = fc.oneof(
  { weight: 5, arbitrary: register },
  { weight: 4, arbitrary: of('adjust', { sale: any, amount: fc.constantFrom(0, 5, 15, 30, 60) }) },
  { weight: 4, arbitrary: of('claim', { connection: any, deliveries: fc.constantFrom(1, 100) }) },
  { weight: 1, arbitrary: of('claim by hint', { parcel: any }) },
  { weight: 1, arbitrary: of('isolate a suspect', {}) },
  { weight: 4, arbitrary: of('send', { claim: any, replies: several }) },
  { weight: 4, arbitrary: of('settle', { claim: any, times: fc.constantFrom(1, 1, 2) }) },
  { weight: 5, arbitrary: of('deliver', { connection: any, replies: several }) },
  { weight: 2, arbitrary: of('crash', { connection: any, replies: several, times: fc.integer({ min: 1, max: 7 }) }) },
  { weight: 2, arbitrary: of('kill', { claim: any }) },
  { weight: 3, arbitrary: of('end a lease', { parcel: any }) },
  { weight: 3, arbitrary: of('pass pauses', {}) },
  { weight: 1, arbitrary: of('pass days', {}) },
  { weight: 3, arbitrary: of('retry', { deliveries: fc.array(any, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: of('retry all', { connection: any }) },
  { weight: 1, arbitrary: of('pause', { connection: any }) },
  { weight: 2, arbitrary: of('resume', { connection: any }) },
);

/** Random sequences of what partners, workers, platforms and operators do. */
export const sequences: fc.Arbitrary<readonly Step[]> = fc
  .tuple(register, fc.array(step, { maxLength: 40, size: 'max' }))
  .map(([first, others]) => [first, ...others]);

const order1: Order = { number: 1, amount: 10, isKeyed: false, isOfKnownClient: true };
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
];
