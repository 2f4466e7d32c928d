import type { Currency } from '@leadback/domain';

const listed = [
  ['AED', 'ARS', 'AUD', 'BDT', 'BHD', 'BIF', 'BOB', 'BRL', 'CAD', 'CHF', 'CLP', 'CNY', 'COP', 'CRC', 'CZK', 'DKK'],
  ['DZD', 'EGP', 'EUR', 'GBP', 'GTQ', 'HKD', 'HNL', 'HUF', 'IDR', 'ILS', 'INR', 'IQD', 'ISK', 'JOD', 'JPY', 'KES'],
  ['KHR', 'KRW', 'KWD', 'KZT', 'LBP', 'MAD', 'MOP', 'MXN', 'MYR', 'NGN', 'NIO', 'NOK', 'NZD', 'OMR', 'PEN', 'PHP'],
  ['PKR', 'PLN', 'PYG', 'QAR', 'RON', 'RUB', 'SAR', 'SEK', 'SGD', 'THB', 'TRY', 'TWD', 'TZS', 'UAH', 'USD', 'VES'],
  ['VND', 'ZAR'],
] as const satisfies readonly (readonly Currency[])[];

/** As TikTok's own SDK lists them (`TTCurrency` of tiktok-business-ios-sdk), without the withdrawn BGN. */
export const tiktokCurrencies: readonly Currency[] = listed.flat();
