import { platformList } from '@leadback/platforms';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseEvents, type FieldTexts } from './content.ts';

const meta = platformList.find(({ name }) => name === 'meta');
const fieldTexts: FieldTexts = { field: ({ texts }) => texts.en.label, mapping: (name, value) => `${name} = ${value}` };

/** What is said to the names of a connection that maps `trial`. */
const saidTo = (settings: object, mapEvent: [string, string][] = []): string => {
  if (!meta) throw new Error('Meta is no platform');
  const stored = z.record(z.string(), z.unknown()).parse(meta.settingsSchema.parse({ pixelId: '1', ...settings }));
  try {
    parseEvents(meta, fieldTexts, stored, { mapEvent }, { eventKinds: ['conversion'], eventNames: { trial: 'Trial' } });
    return 'fine';
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
  }
};

describe('the name of the refund event', () => {
  it.each([
    [{ refundEvent: 'Purchase' }, 'refundEvent: Purchase is the name of other events, too (Event name)'],
    [{ refundEvent: 'Lead' }, 'refundEvent: Lead is the name of other events, too (Lead event name)'],
    [{ refundEvent: 'Trial' }, 'refundEvent: Trial is the name of other events, too (trial = Trial)'],
    [{ refundEvent: ' Back', eventName: 'Back ' }, 'refundEvent: Back is the name of other events, too (Event name)'],
  ])('cannot be that of other events, which Meta would count: %j', (settings, message) => {
    expect(saidTo(settings)).toBe(`${message}; choose one of its own, such as Refund`);
  });

  it('cannot be given to an event of the partner later', () => {
    const message =
      'mapEvent.returned: Meta knows Back as the event of Refund event; choose another name, or change Refund event';
    expect(saidTo({ refundEvent: 'Back' }, [['returned', ' Back']])).toBe(message);
  });

  it('is free to be anything else, and to be left out', () => {
    expect(saidTo({ refundEvent: 'Refund' }, [['trial', 'Back']])).toBe('fine');
    expect(saidTo({}, [['returned', 'Refund']])).toBe('fine');
  });
});
