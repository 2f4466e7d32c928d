import { expect, it } from 'vitest';
import { nearestName } from './fields.ts';

const known = [
  'amount',
  'currency',
  'email',
  'clientExternalReference',
  'conversionExternalReference',
  'phoneNumber',
  'name',
];

it.each([
  ['ammount', 'amount'],
  ['Currency', 'currency'],
  ['mail', 'email'],
  ['phone', 'phoneNumber'],
  ['conversion_external_reference', 'conversionExternalReference'],
  ['conversionReference', 'conversionExternalReference'],
  ['clientReference', 'clientExternalReference'],
])('finds the known name nearest to %s: %s', (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

it.each(['xyz', '', '€'])('finds no known name near to "%s"', (name) => {
  expect(nearestName(name, known)).toBeUndefined();
});
