import { describe, expect, it } from 'vitest';
import { givenAdjustment, givenConversion, now } from '../../test/given-conversion.ts';
import { metaEvent, metaRefund } from './event.ts';
import { metaSettingsSchema } from './settings.ts';

const settings = metaSettingsSchema.parse({ pixelId: '1', refundEvent: 'Refund' });
const notSupported = { kind: 'skipped', reason: 'not_supported' };

describe("Meta's refund event", () => {
  it('reports what was taken back, when it was, as an event of its own for the same order', () => {
    const occurredAt = new Date(now + 3_600_000);
    const lead = { clickParameters: { fbclid: 'IwAR' } };
    const client = { email: 'ana@example.com' };
    const { event, keys } = { event: {}, keys: 0, ...metaEvent(givenConversion({ client, lead }), settings) };
    expect(metaRefund.event(givenAdjustment({ occurredAt }, { client, lead }), settings)).toEqual({
      kind: 'event',
      keys,
      event: {
        ...event,
        event_name: 'Refund',
        event_time: Math.floor(occurredAt.getTime() / 1000),
        event_id: 'order-41:refund:5',
        custom_data: { value: 40, currency: 'USD', order_id: 'order-41' },
      },
    });
  });

  it('is skipped if the account has no refund event', () => {
    expect(metaRefund.event(givenAdjustment(), metaSettingsSchema.parse({ pixelId: '1' }))).toEqual(notSupported);
  });

  it('is skipped if the total is not below every earlier one', () => {
    const grown = givenAdjustment({ amount: '120.00', takenBack: '0.00' });
    expect(metaRefund.event(grown, settings)).toEqual({ kind: 'skipped', reason: 'nothing_taken_back' });
  });
});
