// E.164 allows fewer, but no phone number that somebody answers has them
const digitsOfPhone = 7;

/** Whether a partner's reference could be an email or a phone number. It may be a long order number as well. */
export const looksPersonal = (reference: string): boolean =>
  reference.includes('@') || reference.replaceAll(/\P{Nd}/gu, '').length >= digitsOfPhone;
