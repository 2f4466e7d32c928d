import type { Currency } from '@leadback/domain';

const listed = [
  ['AED', 'ALL', 'AMD', 'ARS', 'AUD', 'AZN', 'BDT', 'BHD', 'BND', 'BOB', 'BRL', 'BWP', 'BZD', 'CAD', 'CHF', 'CLP'],
  ['CNY', 'COP', 'CRC', 'CZK', 'DKK', 'DOP', 'DZD', 'EGP', 'ETB', 'EUR', 'FJD', 'GBP', 'GEL', 'GHS', 'GTQ', 'HKD'],
  ['HNL', 'HUF', 'IDR', 'ILS', 'INR', 'IQD', 'ISK', 'JMD', 'JOD', 'JPY', 'KES', 'KGS', 'KRW', 'KWD', 'KZT', 'LBP'],
  ['LKR', 'LYD', 'MAD', 'MKD', 'MNT', 'MOP', 'MUR', 'MVR', 'MWK', 'MXN', 'MYR', 'NGN', 'NIO', 'NOK', 'NZD', 'OMR'],
  ['PAB', 'PEN', 'PHP', 'PKR', 'PLN', 'PYG', 'QAR', 'RON', 'RSD', 'RUB', 'RWF', 'SAR', 'SEK', 'SGD', 'THB', 'TND'],
  ['TOP', 'TRY', 'TTD', 'TWD', 'TZS', 'UAH', 'UGX', 'USD', 'UYU', 'UZS', 'VND', 'XAF', 'XCD', 'XOF', 'YER', 'ZAR'],
  ['ZMW'],
] as const satisfies readonly (readonly Currency[])[];

/**
 * "Conversion Goal Revenue Currencies" of Microsoft's list (learn.microsoft.com/advertising/guides/currencies), without withdrawn
 * codes. It still calls the Turkish lira TRL there; accounts have TRY.
 */
export const microsoftCurrencies: readonly Currency[] = listed.flat();
