const digitsCompared = 10;
const digitsMin = 7;

/**
 * What two ways of writing one phone number have in common: its last ten digits, without the prefixes of countries and
 * trunks. Undefined for fewer than seven digits.
 */
export const phoneKey = (phoneNumber: string): string | undefined => {
  const digits = phoneNumber.replaceAll(/\D/g, '');
  return digits.length < digitsMin ? undefined : digits.slice(-digitsCompared);
};
