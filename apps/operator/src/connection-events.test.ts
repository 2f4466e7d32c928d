import { platformList } from '@leadback/platforms';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readEvents } from './connection-events.ts';
import { describeError } from './describe-error.ts';

const meta = platformList.find(({ name }) => name === 'meta');

/** What `connection change` says to the names of a connection that maps `trial`. */
const saidTo = (settings: object, mapEvent: [string, string][] = []): string => {
  if (!meta) throw new Error('Meta is no platform');
  const stored = z.record(z.string(), z.unknown()).parse(meta.settingsSchema.parse({ pixelId: '1', ...settings }));
  try {
    readEvents(meta, stored, { mapEvent }, { eventKinds: ['conversion'], eventNames: { trial: 'Trial' } });
    return 'fine';
  } catch (error) {
    return describeError(error);
  }
};

describe('the name of the refund event', () => {
  it.each([
    [{ refundEvent: 'Purchase' }, '--refund-event: Purchase is the name of other events, too (--event-name)'],
    [{ refundEvent: 'Lead' }, '--refund-event: Lead is the name of other events, too (--lead-event-name)'],
    [{ refundEvent: 'Trial' }, '--refund-event: Trial is the name of other events, too (--map-event trial=Trial)'],
    [
      { refundEvent: ' Back', eventName: 'Back ' },
      '--refund-event: Back is the name of other events, too (--event-name)',
    ],
  ])('cannot be that of other events, which Meta would count: %j', (settings, message) => {
    expect(saidTo(settings)).toBe(`${message}; choose one of its own, such as Refund`);
  });

  it('cannot be given to an event of the partner later', () => {
    const message =
      '--map-event: Meta knows Back as the event of --refund-event; choose another name, or change --refund-event';
    expect(saidTo({ refundEvent: 'Back' }, [['returned', ' Back']])).toBe(message);
  });

  it('is free to be anything else, and to be left out', () => {
    expect(saidTo({ refundEvent: 'Refund' }, [['trial', 'Back']])).toBe('fine');
    expect(saidTo({}, [['returned', 'Refund']])).toBe('fine');
  });
});
