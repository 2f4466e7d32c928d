import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';

const parse = (text: string, country: string) =>
  parsePhoneNumberFromString(
    text,
    isSupportedCountry(country) ? { defaultCountry: country, extract: false } : { extract: false },
  );

/**
 * A telephone number in E.164 (`+5491123456789`), or `undefined` where its country cannot be told. A written + or 00
 * decides; then the country of the account, if the number is valid there; then the digits, if they already begin with
 * a country code. A wrong country would be worse than none: the hash would be another person's.
 */
export const phoneNumberInE164 = (written: string, country: string): string | undefined => {
  // NFKC turns full-width digits and the full-width plus into plain ones
  const text = written.normalize('NFKC').trim().replace(/^00/, '+');
  if (text.startsWith('+')) {
    const number = parse(text, country);
    return number?.isPossible() ? number.number : undefined;
  }
  return [parse(text, country), parse(`+${text}`, country)].find((number) => number?.isValid())?.number;
};
