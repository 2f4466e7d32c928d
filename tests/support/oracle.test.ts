import { describe, expect, it } from 'vitest';
import { type Facts, violationsIn } from './oracle.ts';

const small = { memoryMb: 100, resources: 20 };
const copy = { platform: 'meta', connection: '777', event: { event_id: 'order', value: 10 } };

/** One conversion that was registered, and delivered to one platform. */
const well: Facts = {
  entries: [{ reference: 'order', connections: [5], statuses: [201], ids: [1] }],
  conversions: [{ id: 1, reference: 'order', eventId: 'order' }],
  feedback: [{ id: 9, conversion: 1, connection: 5, state: 'delivered' }],
  connections: [
    { id: 5, platform: 'meta', name: '777' },
    { id: 6, platform: 'meta', name: '888' },
  ],
  events: [copy],
  queues: [{ queue: 'feedback.meta.v1', messages: 0 }],
  logs: '{"level":"info","msg":"conversion registered"}\n',
  canaries: ['ana@x.example'],
  traces: [{ index: 'feedback_attempt', text: '(1,delivered)' }],
  metricDifferences: [],
  footprints: [{ app: 'api', atStart: small, now: small }],
};
const asked = (statuses: (number | undefined)[], ids: number[] = [], connections = [5]) => [
  { reference: 'order', connections, statuses, ids },
];
const nothing = { conversions: [], feedback: [], events: [] };

describe('the oracle', () => {
  it.each<[string, Partial<Facts>]>([
    ['all is well', {}],
    ['no answer came and nothing was done', { ...nothing, entries: asked([undefined]) }],
    ['no answer came and it was done', { entries: asked([undefined]) }],
    ['it was answered "later" and done', { entries: asked([503]) }],
    ['it was refused and not done', { ...nothing, entries: asked([404]) }],
    ['it was answered the second time', { entries: asked([undefined, 201], [1]) }],
  ])('is content where %s', (_case, facts) => {
    expect(violationsIn({ ...well, ...facts })).toEqual([]);
  });

  it.each<[string, Partial<Facts>, RegExp]>([
    ['an accepted conversion is lost', nothing, /^O1: order was answered 201/],
    ['a refused one is stored', { entries: asked([404]) }, /^O1: order was answered 404/],
    ['one was answered with two ids', { entries: asked([201, 201], [1, 2]) }, /^O1/],
    [
      'nobody asked for one',
      { conversions: [...well.conversions, { id: 2, reference: null, eventId: 'x' }] },
      /^O1: nobody/,
    ],
    ['a connection is missing', { entries: asked([201], [1], [5, 6]) }, /^O2/],
    ['feedback is twice', { feedback: [...well.feedback, ...well.feedback] }, /^O2/],
    ['feedback is open', { feedback: [{ id: 9, conversion: 1, connection: 5, state: 'pending' }] }, /^O3: feedback 9/],
    ['messages are left', { queues: [{ queue: 'feedback.dead.v1', messages: 2 }] }, /^O3: 2 left in feedback.dead.v1/],
    ['delivered feedback never arrived', { events: [] }, /^O4: meta 777 order never arrived/],
    ['copies differ', { events: [copy, { ...copy, event: { event_id: 'order', value: 11 } }] }, /^O4: .* differ/],
    ['there are more copies than may be', { events: [copy, copy] }, /^O5: 1 duplicates, more than 0/],
    ["an event is in another's hands", { events: [copy, { ...copy, connection: '888' }] }, /^O6: meta 888 order/],
    ['metrics are wrong', { metricDifferences: ['leads: 1, counted 2'] }, /^O8: leads: 1, counted 2/],
    ['a log tells of a person', { logs: '{"msg":"sent to ana@x.example"}' }, /^O9: a log .*ana@x/],
    [
      'a row tells of a person',
      { traces: [...well.traces, { index: 'feedback_attempt', text: '(2,"no such user: ana@x.example")' }] },
      /^O9: feedback_attempt .*ana@x/,
    ],
    ['an app crashed', { logs: '{"level":"fatal","msg":"api failed"}' }, /^O7: .*fatal/],
    ['an app grows', { footprints: [{ app: 'api', atStart: small, now: { ...small, memoryMb: 900 } }] }, /^O7: .*900/],
    ['an app leaks', { footprints: [{ app: 'api', atStart: small, now: { ...small, resources: 900 } }] }, /^O7: .*900/],
  ])('notices that %s', (_case, facts, trouble) => {
    expect(violationsIn({ ...well, ...facts })).toContainEqual(expect.stringMatching(trouble));
  });

  it('bears as many duplicates as a fault may leave', () => {
    expect(violationsIn({ ...well, events: [copy, copy] }, { duplicatesMax: 1 })).toEqual([]);
  });
});
