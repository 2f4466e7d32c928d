/** Why an endpoint needs no second factor of the last minutes. There is no other list of exceptions. */
export const reasonsWithoutSecondFactor = {
  reads: 'It changes nothing, and shows what the screens of the same person show.',
  proves: 'It is how people sign in or give the second factor: they cannot have given it before.',
  'ends-access': 'It only ends sessions of the person who asks: a person who has lost a browser is not kept from it.',
  repeats: 'It sends again what is stored, to where it was sent before, and no receiver counts it twice.',
  tests: 'It sends a test with nothing of anybody to a receiver that is stored already.',
  'takes-note': 'It only ends a notice that the person who asks was shown.',
  'has-no-effect-yet': 'It stores what nobody sees or counts until another request, which needs the second factor.',
} as const;

export type WithoutSecondFactor = keyof typeof reasonsWithoutSecondFactor;
