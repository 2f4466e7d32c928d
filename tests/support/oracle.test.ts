import { describe, expect, it } from 'vitest';
import { type Facts, violationsIn } from './oracle.ts';

const small = { memoryMb: 100, resources: 20 };
const copy = { platform: 'meta', connection: '777', event: { event_id: 'order', value: 10 } };

/** One conversion that was registered and delivered to one platform. */
const well: Facts = {
  entries: [{ reference: 'order', connections: [5], statuses: [201], ids: [1] }],
  conversions: [{ id: 1, reference: 'order', eventId: 'order' }],
  deliveries: [{ id: 9, conversion: 1, connection: 5, state: 'delivered' }],
  parcels: 0,
  connections: [
    { id: 5, platform: 'meta', name: '777' },
    { id: 6, platform: 'meta', name: '888' },
  ],
  events: [copy],
  queues: [{ queue: 'delivery.hint.v1', messages: 0 }],
  logs: '{"level":"info","msg":"conversion registered"}\n',
  canaries: ['ana@x.example'],
  traces: [{ index: 'delivery_attempt', text: '(1,delivered)' }],
  metricDifferences: [],
  footprints: [{ app: 'api', atStart: small, now: small }],
};
const requested = (statuses: (number | undefined)[], ids: number[] = [], connections = [5]) => [
  { reference: 'order', connections, statuses, ids },
];
const nothing = { conversions: [], deliveries: [], events: [] };

describe('the oracle', () => {
  it.each<[string, Partial<Facts>]>([
    ['nothing went wrong', {}],
    ['there was no response and nothing was stored', { ...nothing, entries: requested([undefined]) }],
    ['there was no response and the conversion was stored', { entries: requested([undefined]) }],
    ['the response was 503 and the conversion was stored', { entries: requested([503]) }],
    ['the request was rejected and nothing was stored', { ...nothing, entries: requested([404]) }],
    ['the retry succeeded', { entries: requested([undefined, 201], [1]) }],
  ])('the oracle reports nothing if %s', (_case, facts) => {
    expect(violationsIn({ ...well, ...facts })).toEqual([]);
  });

  it.each<[string, Partial<Facts>, RegExp]>([
    ['an accepted conversion is lost', nothing, /^O1: order got 201/],
    ['a rejected conversion is stored', { entries: requested([404]) }, /^O1: order got 404/],
    ['a conversion got two ids', { entries: requested([201, 201], [1, 2]) }, /^O1/],
    [
      'a conversion was not requested',
      { conversions: [...well.conversions, { id: 2, reference: null, eventId: 'x' }] },
      /^O1: conversion 2 was not requested/,
    ],
    ['the delivery to a connection is missing', { entries: requested([201], [1], [5, 6]) }, /^O2/],
    ['a delivery exists twice', { deliveries: [...well.deliveries, ...well.deliveries] }, /^O2/],
    [
      'a delivery is pending',
      { deliveries: [{ id: 9, conversion: 1, connection: 5, state: 'pending' }] },
      /^O3: delivery 9/,
    ],
    [
      'messages are left',
      { queues: [{ queue: 'delivery.hint.v1', messages: 2 }] },
      /^O3: 2 messages left in delivery.hint.v1/,
    ],
    ['a parcel is left without a pending delivery', { parcels: 1 }, /^O3: 1 parcels are left/],
    ['a delivered event never arrived', { events: [] }, /^O4: meta 777 order never arrived/],
    [
      'copies of an event differ',
      { events: [copy, { ...copy, event: { event_id: 'order', value: 11 } }] },
      /^O4: .* differ/,
    ],
    ['there are more duplicates than allowed', { events: [copy, copy] }, /^O5: 1 duplicates, more than 0/],
    [
      'an event arrived at the wrong connection',
      { events: [copy, { ...copy, connection: '888' }] },
      /^O6: meta 888 order/,
    ],
    ['metrics are wrong', { metricDifferences: ['leads: 1, counted 2'] }, /^O8: leads: 1, counted 2/],
    ['a log contains personal data', { logs: '{"msg":"sent to ana@x.example"}' }, /^O9: a log .*ana@x/],
    [
      'a row contains personal data',
      { traces: [...well.traces, { index: 'delivery_attempt', text: '(2,"no such user: ana@x.example")' }] },
      /^O9: delivery_attempt .*ana@x/,
    ],
    ['an app crashed', { logs: '{"level":"fatal","msg":"api failed"}' }, /^O7: .*fatal/],
    [
      'the memory of an app grows',
      { footprints: [{ app: 'api', atStart: small, now: { ...small, memoryMb: 900 } }] },
      /^O7: .*900/,
    ],
    [
      'an app leaks resources',
      { footprints: [{ app: 'api', atStart: small, now: { ...small, resources: 900 } }] },
      /^O7: .*900/,
    ],
  ])('the oracle reports that %s', (_case, facts, trouble) => {
    expect(violationsIn({ ...well, ...facts })).toContainEqual(expect.stringMatching(trouble));
  });

  it('the oracle tolerates the allowed number of duplicates', () => {
    expect(violationsIn({ ...well, events: [copy, copy] }, { duplicatesMax: 1 })).toEqual([]);
  });
});
