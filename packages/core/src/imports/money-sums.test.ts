import { type Currency, decimalsOf } from '@leadback/domain';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMoney } from './money-sums.ts';

const currencies = ['USD', 'ARS', 'BRL', 'JPY', 'CLP', 'KWD', 'CLF'] as const satisfies readonly Currency[];

const amounts = fc.array(
  fc.record({
    currency: fc.constantFrom(...currencies),
    amount: fc.nat({ max: 99_999_999_999_999 }).map((size) => (size / 10_000).toFixed(4)),
  }),
  { maxLength: 40 },
);

describe('sums of money', () => {
  it('never mix currencies: each is the sum of its own amounts alone, rounded one by one', () => {
    fc.assert(
      fc.property(amounts, amounts, (first, second) => {
        const sums = addMoney(addMoney({}, first), second);
        for (const currency of currencies) {
          const own = [...first, ...second].filter((one) => one.currency === currency);
          expect(sums[currency]).toBe(addMoney({}, own)[currency]);
          const scale = 10 ** (4 - decimalsOf(currency));
          const inTenThousandths = own.map(({ amount }) => Number(amount.replace('.', '')));
          const units = inTenThousandths.reduce((sum, size) => sum + BigInt(Math.floor(size / scale + 0.5)), 0n);
          expect(BigInt((sums[currency] ?? '0').replace('.', ''))).toBe(units);
        }
        expect(Object.keys(sums).every((name) => currencies.some((currency) => currency === name))).toBe(true);
      }),
    );
  });

  it('count each amount rounded half up to its minor unit, and what is no currency not at all', () => {
    const sent = [
      { currency: 'JPY', amount: '1000.5' },
      { currency: 'JPY', amount: '0.4' },
      { currency: 'KWD', amount: '1.2345' },
      { currency: 'peso', amount: '5' },
      { currency: null, amount: '5' },
      { currency: 'USD', amount: null },
    ];
    expect(addMoney({ USD: '1.00' }, sent)).toEqual({ USD: '1.00', JPY: '1001', KWD: '1.235' });
    expect(addMoney({ USD: '1.00' }, [{ currency: 'USD', amount: '-1' }])).toEqual({});
  });
});
