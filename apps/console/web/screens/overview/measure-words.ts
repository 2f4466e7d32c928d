import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { currencyOf } from './measures.ts';
import type { Measure } from './search.ts';
import { overviewTexts } from './texts.ts';

interface MeasureWords {
  readonly title: (measure: Measure) => string;
  readonly value: (measure: Measure, value: number) => string;
  /** Below its title, which names the currency. */
  readonly bare: (measure: Measure, value: number) => string;
}

/** How measures are called and written. */
export const useMeasureWords = (): MeasureWords => {
  const texts = useTexts(overviewTexts);
  const format = useFormat();
  return {
    title: (measure) => {
      if (measure === 'leads' || measure === 'clients' || measure === 'conversions') return texts.measures[measure];
      return texts.revenue(currencyOf(measure) ?? '');
    },
    value: (measure, value) => {
      const currency = currencyOf(measure);
      return currency === undefined ? format.count(value) : format.money(value, currency);
    },
    bare: (measure, value) => (currencyOf(measure) === undefined ? format.count(value) : format.amount(value)),
  };
};
