import { type Currency, type PlatformName, platformNames } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { requireEvent } from '../src/definition.ts';
import { platformRegistry } from '../src/index.ts';
import { givenAdjustment, givenConversion, givenLead, now } from './given-conversion.ts';

const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' }, { now: () => now });

const prepare = (
  platform: PlatformName,
  event: Parameters<ReturnType<typeof platforms.meta.access>['prepare']>[0],
  more: object,
) => {
  const { settings, credentials } = platforms[platform].sample(1);
  return platforms[platform].access(Object.assign({}, settings, more), credentials, 'live').prepare(event, now);
};

const client = { email: 'ana@example.com' };
const net = { value: 'net' };

/** Where each platform has the value. */
const valueIn: Readonly<Record<PlatformName, (value: string) => object>> = {
  meta: (value) => ({ custom_data: { value: Number(value) } }),
  google: (value) => ({ conversionValue: Number(value) }),
  tiktok: (value) => ({ properties: { value: Number(value) } }),
  linkedin: (value) => ({ conversionValue: { amount: value } }),
  microsoft: (value) => ({ ConversionValue: Number(value) }),
};

describe.each(platformNames)('the value of a sale at %s', (platform) => {
  it.each<[string | null, string]>([
    ['31.50', '31.50'],
    ['0.00', '0.00'],
    ['100.20', '100.20'],
    [null, '100.20'],
  ])('is the net amount %s if the connection says so: %s', (netAmount, told) => {
    const sale = givenConversion({ client, netAmount });
    const [asNet, asAmount] = [prepare(platform, sale, net), prepare(platform, sale, { value: 'amount' })];
    expect(requireEvent(asNet)).toMatchObject(valueIn[platform](told));
    expect(requireEvent(asAmount)).toMatchObject(valueIn[platform]('100.20'));
    expect(prepare(platform, sale, {})).toEqual(asAmount);
  });

  it('is none of a lead', () => {
    const lead = givenLead({ client, netAmount: '31.50' });
    expect(prepare(platform, lead, net)).toEqual(prepare(platform, lead, {}));
  });
});

describe('a correction of a sale whose net amount is told', () => {
  // amount and net amount of the sale, the new total and what was taken back; what is told of both
  it.each<[Currency, string, string | null, string, string, number, number]>([
    ['USD', '100.00', '30.00', '60.00', '40.00', 18, 12],
    ['USD', '100.00', '30.00', '100.00', '0.00', 30, 0],
    ['USD', '100.00', '30.00', '0.00', '100.00', 0, 30],
    ['USD', '100.00', '30.00', '200.00', '0.00', 60, 0],
    ['USD', '100.00', '0.00', '60.00', '40.00', 0, 0],
    ['USD', '100.00', '100.00', '60.00', '40.00', 60, 40],
    ['USD', '100.00', null, '60.00', '40.00', 60, 40],
    ['USD', '3.00', '1.00', '1.00', '2.00', 0.33, 0.67],
    ['USD', '3.00', '1.00', '2.00', '1.00', 0.67, 0.33],
    ['USD', '0.02', '0.01', '0.01', '0.01', 0.01, 0.01],
    ['USD', '0.00', '0.00', '50.00', '0.00', 50, 0],
    ['USD', '9999999999.99', '9999999999.98', '9999999999.99', '0.00', 9_999_999_999.98, 0],
    ['USD', '9999999999.99', '0.01', '0.01', '9999999999.98', 0, 0.01],
    ['ARS', '1250000.50', '250000.10', '625000.25', '625000.25', 125_000.05, 125_000.05],
    ['JPY', '1001', '500', '500', '501', 250, 250],
    ['JPY', '3', '1', '2', '1', 1, 0],
    ['CLP', '25000', '10000', '12500', '12500', 5000, 5000],
    ['KWD', '1.235', '0.617', '0.618', '0.617', 0.309, 0.308],
    ['KWD', '10.000', '3.333', '5.000', '5.000', 1.667, 1.667],
    ['BRL', '80.10', '20.03', '40.05', '40.05', 10.02, 10.02],
  ])('in %s of %s (net %s) to %s counts as large a part of the total', (currency, amount, netAmount, ...told) => {
    const [total, takenBack, value, valueBack] = told;
    const sale = { client, currency, amount, netAmount };
    const adjustment = givenAdjustment({ amount: total, takenBack }, sale);
    expect(requireEvent(prepare('google', adjustment, net))).toMatchObject({ conversionValue: value });
    expect(requireEvent(prepare('google', adjustment, {}))).toMatchObject({ conversionValue: Number(total) });
    const refund = prepare('meta', adjustment, { ...net, refundEvent: 'Refund' });
    expect(refund).toMatchObject(
      valueBack === 0
        ? { kind: 'skipped', reason: 'nothing_taken_back' }
        : { kind: 'event', event: { custom_data: { value: valueBack, currency } } },
    );
  });
});
