import { type DeliveryState, transitions } from '@leadback/core/delivery/states';
import { givenDatabase, type TestDatabase } from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parcelViolations, type Subject } from '../support/parcels.ts';
import { operationsOn } from './transitions/operations.ts';
import { type Given, givenSituation, type Situation, situations } from './transitions/situations.ts';

const claims = { 'claim by id': 2, 'claim of connections': 2 };
const reclaims = { 'claim by id': 3, 'claim of connections': 3 };

// a claim that another has followed, or that was settled, can only say that the platform accepted the event
const lateDelivery = { 'settle after another claim: delivered': 8 };
const toldByAnybody = { ...lateDelivery, 'settle: delivered': 8 };
const settled = {
  ...lateDelivery,
  'settle: delivered': 4,
  'settle: failed': 4,
  'settle: skipped': 4,
  'settle: retry': 5,
  'settle: retry too late': 4,
  'settle: postponed': 6,
  'settle: connection rejected': 7,
};
const requeued = { requeue: 11, 'requeue all of a connection': 11 };
const withdrawn = {
  'request status: failed': 12,
  'request status: skipped': 12,
  'request status: temporary': 12,
  'request status: temporary, too late': 12,
  'request status: connection rejected': 12,
};

/** The transition that each operation causes in each situation. What is not listed changes nothing. */
const expected: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  new: { register: 1, 'register a client': 1, adjust: 1 },
  'new, connection paused': { adjust: 1 },
  waiting: { ...claims, ...toldByAnybody },
  'waiting, not due': toldByAnybody,
  'waiting, connection paused': toldByAnybody,
  'waiting, connection needs attention': toldByAnybody,
  'waiting alone after 3 lost leases': { 'claim a suspect': 2, ...toldByAnybody },
  claimed: settled,
  'claimed, connection paused': settled,
  'first lease over': { ...reclaims, ...settled },
  'first lease over, connection paused': settled,
  'third lease over, with others': { 'split suspects': 9, ...settled },
  'third lease over, with others, connection paused': { 'split suspects': 9, ...settled },
  'third lease over, alone': { 'claim a suspect': 3, ...settled },
  'fifth lease over, alone': { 'claim a suspect': 3, 'fail crashed': 10, ...settled },
  'fifth lease over, alone, connection paused': { 'fail crashed': 10, ...settled },
  delivered: withdrawn,
  'delivered, with a note': { ...requeued, ...withdrawn },
  failed: { ...requeued, ...toldByAnybody },
  'failed, connection paused': toldByAnybody,
  skipped: { ...requeued, ...toldByAnybody },
};

/** The operation that makes deliveries of a subject. */
const registering: Readonly<Record<Subject, string>> = {
  conversion: 'register',
  adjustment: 'adjust',
  client: 'register a client',
};

interface Stored {
  readonly id: string;
  readonly state: DeliveryState;
  readonly parcel: string | null;
  readonly claim: number | null;
}

const stored = async ({ pool }: TestDatabase, { connection }: Given, subject: Subject): Promise<Stored[]> => {
  const { rows } = await pool.query<Stored>({
    name: `stored deliveries of a ${subject}`,
    text: `select f.id, case f.state when 'pending' then coalesce(d.phase, 'in no parcel') else f.state end as state,
                  f.parcel_id as parcel, d.claim
           from delivery f left join delivery_due d on d.id = f.parcel_id
           where f.connection_id = $1 and f.${subject}_id is not null order by f.id`,
    values: [connection.id],
  });
  return rows;
};

// they change something besides deliveries
const changesMore = /^(pause|resume|erase the client|request status: .*)$/;

const named = (number: number, from: string, to: string) => `${number}: ${from} → ${to}`;

describe('the transitions of a delivery', () => {
  let database: TestDatabase;
  let operations: ReturnType<typeof operationsOn>;
  const seen = new Set<string>();
  beforeAll(async () => {
    database = await givenDatabase();
    operations = operationsOn(database);
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const removeAll = () =>
    database.asOwner(`with attempt as (delete from delivery_attempt), due as (delete from delivery_due),
      request as (delete from platform_request) delete from delivery`);
  afterEach(removeAll);

  /** Gives the situation of the operation before as long as nothing has changed it. */
  const situated = (situation: Situation, subject: Subject) => {
    let given: Given | undefined;
    return {
      async given(): Promise<Given> {
        if (given) return given;
        await removeAll();
        given = await givenSituation(database, situation, subject);
        return given;
      },
      changed() {
        given = undefined;
      },
    };
  };

  /** What an operation does to deliveries in a situation: `from → to`, `nothing`, or several. */
  const observed = async (
    situation: ReturnType<typeof situated>,
    operation: string,
    subject: Subject,
  ): Promise<string> => {
    const given = await situation.given();
    const before = await stored(database, given, subject);
    await operations[operation]?.(given);
    expect([operation, await parcelViolations(database.pool)]).toEqual([operation, []]);
    const after = await stored(database, given, subject);
    const changes = after.flatMap((delivery, index) => {
      const was = before[index] ?? { state: 'new' };
      return JSON.stringify(was) === JSON.stringify(delivery) ? [] : [`${was.state} → ${delivery.state}`];
    });
    if (changes.length > 0 || changesMore.test(operation)) situation.changed();
    // all deliveries of a parcel change alike
    expect([0, after.length]).toContain(changes.length);
    return [...new Set(changes)].join(', ') || 'nothing';
  };

  const isOf = (number: number, change: string): boolean => {
    const transition = transitions.find((one) => one.number === number);
    const [from = '', to = ''] = change.split(' → ');
    seen.add(named(number, from, to));
    const begins: readonly string[] = transition?.from.length === 0 ? ['new'] : (transition?.from ?? []);
    const ends: readonly string[] = transition?.to ?? [];
    return begins.includes(from) && ends.includes(to);
  };

  const undocumented = async (situation: Situation, subject: Subject) => {
    const wrong: Record<string, string> = {};
    const isNew = situation.state === undefined;
    const inTurn = situated(situation, subject);
    for (const operation of isNew ? [registering[subject]] : Object.keys(operations)) {
      if (!isNew && Object.values(registering).includes(operation)) continue;
      const number = expected[situation.name]?.[operation];
      const change = await observed(inTurn, operation, subject);
      if (number === undefined ? change !== 'nothing' : !isOf(number, change)) wrong[operation] = change;
    }
    return wrong;
  };

  it.each(situations)('changes deliveries of conversions that are $name only as documented', async (situation) => {
    expect(await undocumented(situation, 'conversion')).toEqual({});
  });

  it.each(situations)('changes deliveries of adjustments that are $name only as documented', async (situation) => {
    expect(await undocumented(situation, 'adjustment')).toEqual({});
  });

  it.each(situations)('changes deliveries of leads that are $name only as documented', async (situation) => {
    expect(await undocumented(situation, 'client')).toEqual({});
  });

  it('sees every documented transition', () => {
    const documented = transitions.flatMap(({ number, from, to }) =>
      (from.length === 0 ? ['new'] : from).flatMap((begin) => to.map((end) => named(number, begin, end))),
    );
    expect([...seen].toSorted()).toEqual(documented.toSorted());
  });

  it('names only situations and operations that exist', () => {
    const situationNames = situations.map(({ name }) => name);
    expect(Object.keys(expected)).toEqual(situationNames);
    const used = new Set(Object.values(expected).flatMap((changes) => Object.keys(changes)));
    expect(Object.keys(operations)).toEqual(expect.arrayContaining([...used]));
  });
});
