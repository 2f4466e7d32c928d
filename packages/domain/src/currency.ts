// The codes of ISO 4217 that have a minor unit, by its decimals: metals, codes for tests and units of account of banks have none.
// Not from `Intl`: its decimals are those of CLDR, none for COP, HUF and IDR, and it lacks some codes.
const withTwoDecimals = [
  ['USD', 'ARS', 'AED', 'AFN', 'ALL', 'AMD', 'AOA', 'AUD', 'AWG', 'AZN', 'BAM', 'BBD', 'BDT', 'BMD', 'BND', 'BOB'],
  ['BOV', 'BRL', 'BSD', 'BTN', 'BWP', 'BYN', 'BZD', 'CAD', 'CDF', 'CHE', 'CHF', 'CHW', 'CNY', 'COP', 'COU', 'CRC'],
  ['CUP', 'CVE', 'CZK', 'DKK', 'DOP', 'DZD', 'EGP', 'ERN', 'ETB', 'EUR', 'FJD', 'FKP', 'GBP', 'GEL', 'GHS', 'GIP'],
  ['GMD', 'GTQ', 'GYD', 'HKD', 'HNL', 'HTG', 'HUF', 'IDR', 'ILS', 'INR', 'IRR', 'JMD', 'KES', 'KGS', 'KHR', 'KPW'],
  ['KYD', 'KZT', 'LAK', 'LBP', 'LKR', 'LRD', 'LSL', 'MAD', 'MDL', 'MGA', 'MKD', 'MMK', 'MNT', 'MOP', 'MRU', 'MUR'],
  ['MVR', 'MWK', 'MXN', 'MXV', 'MYR', 'MZN', 'NAD', 'NGN', 'NIO', 'NOK', 'NPR', 'NZD', 'PAB', 'PEN', 'PGK', 'PHP'],
  ['PKR', 'PLN', 'QAR', 'RON', 'RSD', 'RUB', 'SAR', 'SBD', 'SCR', 'SDG', 'SEK', 'SGD', 'SHP', 'SLE', 'SOS', 'SRD'],
  ['SSP', 'STN', 'SVC', 'SYP', 'SZL', 'THB', 'TJS', 'TMT', 'TOP', 'TRY', 'TTD', 'TWD', 'TZS', 'UAH', 'USN', 'UYU'],
  ['UZS', 'VED', 'VES', 'WST', 'XAD', 'XCD', 'XCG', 'YER', 'ZAR', 'ZMW', 'ZWG'],
] as const;
const withoutDecimals = [
  ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG'],
  ['RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
] as const;
const withThreeDecimals = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'] as const;
const withFourDecimals = ['CLF', 'UYW'] as const;

/** Those of most accounts first. */
export const currencies = [
  ...withTwoDecimals.flat(),
  ...withoutDecimals.flat(),
  ...withThreeDecimals,
  ...withFourDecimals,
];
export type Currency = (typeof currencies)[number];

/** What an account takes unless its operator allows others. */
export const standardCurrencies = ['USD', 'ARS'] as const satisfies readonly Currency[];

const codes: ReadonlySet<unknown> = new Set(currencies);
export const isCurrency = (text: unknown): text is Currency => codes.has(text);

/** Currencies by the number of their decimals; all others have two. */
export const otherDecimals: readonly { readonly decimals: number; readonly of: readonly Currency[] }[] = [
  { decimals: 0, of: withoutDecimals.flat() },
  { decimals: 3, of: withThreeDecimals },
  { decimals: 4, of: withFourDecimals },
];

const decimals = new Map(otherDecimals.flatMap((group) => group.of.map((currency) => [currency, group.decimals])));

/** How many decimals an amount of the currency has: those of its minor unit. */
export const decimalsOf = (currency: Currency): number => decimals.get(currency) ?? 2;

/** A decimal in minor units of its currency, rounded half up, as it is stored. Smaller than a millionth is 0. */
export const inMinorUnits = (decimal: string, currency: Currency): bigint => {
  if (decimal.includes('e-')) return 0n;
  const [whole = '0', places = ''] = decimal.split('.');
  const kept = decimalsOf(currency);
  const size = BigInt(whole.replace('-', '') + places.slice(0, kept).padEnd(kept, '0'));
  const rounded = size + (places.charAt(kept) >= '5' ? 1n : 0n);
  return whole.startsWith('-') ? -rounded : rounded;
};

/** Minor units as a decimal with all its decimals: `1001` of JPY, `1001.00` of USD. */
export const decimalIn = (currency: Currency, minorUnits: bigint): string => {
  const places = decimalsOf(currency);
  const digits = String(minorUnits < 0n ? -minorUnits : minorUnits).padStart(places + 1, '0');
  const size = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return `${minorUnits < 0n ? '-' : ''}${size}`;
};

/** The amount as it is stored: rounded half up to the minor unit of its currency. */
export const roundedAmount = (amount: string, currency: Currency): string =>
  decimalIn(currency, inMinorUnits(amount, currency));
