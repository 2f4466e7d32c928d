import { expect, it } from 'vitest';
import { withOtherLicence } from './licence-list.ts';

const library = (licence: string) => ({ name: 'x', version: '1.0.0', licence });

it('reports every library whose licence is not allowed', () => {
  const libraries = ['MIT', '(MIT OR GPL-3.0-only)', 'GPL-3.0-only', 'MIT AND GPL-3.0-only', 'none named'].map(library);
  expect(withOtherLicence(libraries).map(({ licence }) => licence)).toEqual([
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'none named',
  ]);
});
