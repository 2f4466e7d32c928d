import { describe, expect, it } from 'vitest';
import { names } from '../test/identifier-vectors.ts';
import { hashedName, splitName } from './event-parts.ts';

describe('a part of a name', () => {
  it.each(names)('hashes a part of a name as the platforms do: %j', (written, hash) => {
    expect(hashedName(written) ?? null).toBe(hash);
  });
});

describe('a full name', () => {
  it.each([
    ['García López, Ana', { first: 'Ana', rest: 'García López' }],
    ['  García López ,Ana María ', { first: 'Ana María', rest: 'García López' }],
    ['Smith, John Q.', { first: 'John', rest: 'Smith' }],
    ['Smith, J.', { first: 'J.', rest: 'Smith' }],
    ['山田，太郎', { first: '太郎', rest: '山田' }],
    ['Smith, John, Jr.', { first: 'John', rest: 'Smith' }],
    ['Smith, Jr., John', { first: 'John', rest: 'Smith' }],
    ['Lee, Co', { first: 'Co', rest: 'Lee' }],
    ['Ng, Spa', { first: 'Spa', rest: 'Ng' }],
    ['Ana, Sa', { first: 'Sa', rest: 'Ana' }],
    ['Duarte, Cia', { first: 'Cia', rest: 'Duarte' }],
    ['Rahman, Md', { first: 'Md', rest: 'Rahman' }],
    ['Rahman, Md Abdul', { first: 'Md Abdul', rest: 'Rahman' }],
    ['García, Dr. Ana', { first: 'Ana', rest: 'García' }],
    ['García, Ing. Ana María', { first: 'Ana María', rest: 'García' }],
    ['García, Lic. Ana', { first: 'Ana', rest: 'García' }],
    ['García, Dr. Ing. Ana', { first: 'Ana', rest: 'García' }],
    ['García, DRA ANA', { first: 'ANA', rest: 'García' }],
    ['Smith, Mr.John, Jr.', { first: 'John', rest: 'Smith' }],
    ['Ng, Ing Wei', { first: 'Ing Wei', rest: 'Ng' }],
    ['Smith, Drew', { first: 'Drew', rest: 'Smith' }],
  ])('reads %j as last name, first name', (written, parts) => {
    expect(splitName(written)).toEqual(parts);
  });

  it.each([
    ['Ana García, PhD', { first: 'Ana', rest: 'García' }],
    ['John Smith, Jr.', { first: 'John', rest: 'Smith' }],
    ['John Smith, M.D., Ph.D.', { first: 'John', rest: 'Smith' }],
    ['Ana García López, Lic.', { first: 'Ana', rest: 'García López' }],
    ['John Smith, MD', { first: 'John', rest: 'Smith' }],
    ['Ana García, Dr. Ing.', { first: 'Ana', rest: 'García' }],
    ['Madonna,', { first: 'Madonna' }],
    [', Ana', { first: 'Ana' }],
  ])('reads %j as first name, last name, without what follows the comma', (written, parts) => {
    expect(splitName(written)).toEqual(parts);
  });

  it.each([
    'Zapatos, S.A.',
    'Acme Shoes, Inc.',
    'Müller, GmbH',
    'Calzados, S. R. L.',
    'Zapatos, SA',
    'Zapatos, s.a.',
    'Acme, Co.',
    'ROSSI, SPA',
    'Pérez, Cía.',
  ])('sends no name for the company %j', (written) => {
    expect(splitName(written)).toEqual({});
  });

  it('sends no name with several commas, because its parts are ambiguous', () => {
    expect(splitName('García, Ana, Buenos Aires')).toEqual({});
  });

  it.each([null, '', ' ', ',', ' , ,'])('reads no name from %j', (written) => {
    expect(splitName(written)).toEqual({});
  });
});
