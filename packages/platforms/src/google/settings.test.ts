import { describe, expect, it } from 'vitest';
import { googleSettingsSchema } from './access.ts';

describe("Google's settings", () => {
  it('accepts Google customer ids as Google Ads shows them', () => {
    const settings = { customerId: '123-456-7890', conversionActionId: ' 848898416 ', loginCustomerId: '987 654 3210' };
    const stored = { customerId: '1234567890', conversionActionId: '848898416', loginCustomerId: '9876543210' };
    expect(googleSettingsSchema.parse(settings)).toEqual(stored);
    expect(googleSettingsSchema.parse(stored)).toEqual(stored);
  });

  it.each([
    [{ conversionActionId: '1' }, 'customerId', /ten digits/],
    [{ customerId: '123', conversionActionId: '1' }, 'customerId', /ten digits/],
    [{ customerId: '1234567890', conversionActionId: '1', loginCustomerId: '' }, 'loginCustomerId', /ten digits/],
    [{ customerId: '1234567890', conversionActionId: 'customers/1/conversionActions/2' }, 'conversionActionId', /ctId/],
  ])('invalid Google settings %j: the message names the fix', (settings, field, remedyFor) => {
    expect(googleSettingsSchema.safeParse(settings).error?.issues).toMatchObject([
      { path: [field], message: expect.stringMatching(remedyFor) },
    ]);
  });
});
