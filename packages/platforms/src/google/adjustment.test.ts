import { describe, expect, it } from 'vitest';
import { givenAdjustment, givenConversion, now } from '../../test/given-conversion.ts';
import { googleAdjustment, googleEvent } from './event.ts';
import { googleSettingsSchema } from './access.ts';

const dayMs = 86_400_000;
const client = { email: 'ana@example.com' };
const settings = { conversionActionId: '848898416' };
const retract = { kind: 'retract', amount: '0.00', takenBack: '100.20' } as const;

describe("Google's adjustment", () => {
  it('is the event of the conversion with the new total, whenever it was adjusted', () => {
    const original = googleEvent(givenConversion({ client, amount: '60.20' }), settings, now);
    const occurredAt = new Date(now + dayMs);
    expect(googleAdjustment.event(givenAdjustment({ occurredAt }), settings, now)).toEqual(original);
    expect(original).toMatchObject({ event: { transactionId: 'order-41', conversionValue: 60.2 } });
  });

  it('has the value 0 if the conversion is retracted, and says that the count is kept', () => {
    expect(googleAdjustment.event(givenAdjustment(retract), settings, now)).toMatchObject({
      kind: 'event',
      event: { transactionId: 'order-41', conversionValue: 0, currency: 'USD' },
      note: expect.stringContaining('count kept'),
    });
  });

  it('is skipped if the conversion is older than Google accepts, however new the adjustment is', () => {
    const old = givenAdjustment({}, { client, occurredAt: new Date(now - 90 * dayMs) });
    expect(googleAdjustment.event(old, settings, now)).toEqual({ kind: 'skipped', reason: 'event_too_old' });
  });

  it('is skipped if nothing is left by which Google could find the person, and has no note then', () => {
    expect(googleAdjustment.event(givenAdjustment(retract, {}), settings, now)).toEqual({
      kind: 'skipped',
      reason: 'no_match_keys',
    });
  });

  it('goes to the account and the conversion action, however access to them is granted', () => {
    const { destinationOf } = googleAdjustment;
    const sample = { customerId: '123-456-7890', conversionActionId: '1' };
    const at = googleSettingsSchema.parse(sample);
    const through = googleSettingsSchema.parse({ ...sample, loginCustomerId: '9999999999' });
    expect(destinationOf(through)).toBe(destinationOf(at));
    expect(destinationOf({ ...at, conversionActionId: '2' })).not.toBe(destinationOf(at));
    expect(destinationOf({ ...at, customerId: '1234567891' })).not.toBe(destinationOf(at));
  });
});
