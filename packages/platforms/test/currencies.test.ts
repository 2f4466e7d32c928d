import { type Currency, type PlatformName, platformNames } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { platformRegistry } from '../src/index.ts';
import { givenAdjustment, givenConversion, givenLead, now } from './given-conversion.ts';

const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' }, { now: () => now });

const prepare = (
  platform: PlatformName,
  event: Parameters<ReturnType<typeof platforms.meta.access>['prepare']>[0],
  more: object = {},
) => {
  const { settings, credentials } = platforms[platform].sample(1);
  return platforms[platform].access(Object.assign({}, settings, more), credentials, 'live').prepare(event, now);
};

const client = { email: 'ana@example.com' };
const sale = (currency: Currency, amount: string) => givenConversion({ client, currency, amount });

/** Where each platform has money. */
const moneyIn: Readonly<Record<PlatformName, (value: number, text: string, currency: string) => object>> = {
  meta: (value, _, currency) => ({ custom_data: { value, currency } }),
  google: (conversionValue, _, currency) => ({ conversionValue, currency }),
  tiktok: (value, _, currency) => ({ properties: { value, currency } }),
  linkedin: (_, amount, currencyCode) => ({ conversionValue: { amount, currencyCode } }),
  microsoft: (ConversionValue, _, ConversionCurrencyCode) => ({ ConversionValue, ConversionCurrencyCode }),
};

describe.each(platformNames)('sales in other currencies at %s', (platform) => {
  it.each<[Currency, string]>([
    ['USD', '100.20'],
    ['ARS', '25000.00'],
    ['BRL', '80.10'],
    ['EUR', '0.00'],
    ['JPY', '1001'],
    ['CLP', '25000'],
    ['KWD', '1.235'],
  ])('are sent in %s with the value in whole units', (currency, amount) => {
    expect(prepare(platform, sale(currency, amount))).toMatchObject({
      kind: 'event',
      event: moneyIn[platform](Number(amount), amount, currency),
    });
  });
});

describe.each([
  ['tiktok', 'UYU', 'TikTok'],
  ['tiktok', 'DOP', 'TikTok'],
  ['microsoft', 'CUP', 'Microsoft Advertising'],
  ['microsoft', 'VES', 'Microsoft Advertising'],
] as const)('at %s, which does not take %s', (platform, currency, title) => {
  const other = { otherCurrency: 'without-value' };

  it('a sale is skipped unless the connection wants it without its value', () => {
    const skipped = { kind: 'skipped', reason: 'currency_not_supported' };
    expect(prepare(platform, sale(currency, '10.00'))).toEqual(skipped);
    expect(prepare(platform, sale(currency, '10.00'), { otherCurrency: 'skip' })).toEqual(skipped);
    const sent = prepare(platform, sale(currency, '10.00'), other);
    expect(sent).toMatchObject({ kind: 'event', note: `without value: ${title} does not take ${currency}` });
    expect(JSON.stringify(sent.kind === 'event' && sent.event)).not.toMatch(/value|currency/i);
    expect(prepare(platform, sale('USD', '10.00'), other)).not.toHaveProperty('note');
  });

  it('a lead is sent as ever, and a correction of a sale is not', () => {
    const leads = { leadConversionName: 'Lead' };
    expect(prepare(platform, givenLead({ client, currency }), leads)).toMatchObject({ kind: 'event' });
    expect(prepare(platform, givenAdjustment({}, { client, currency }), other)).toEqual({
      kind: 'skipped',
      reason: 'currency_not_supported',
    });
  });
});

it('Meta, Google and LinkedIn are sent every currency: they name no list', () => {
  for (const platform of ['meta', 'google', 'linkedin'] as const)
    for (const currency of ['UYU', 'CUP', 'XCG', 'CLF'] as const)
      expect(prepare(platform, sale(currency, '10'))).toMatchObject({ kind: 'event' });
});
