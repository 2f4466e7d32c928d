import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { knownBrowserKeys, readKnownBrowser, writeKnownBrowser } from './tokens.ts';
import { masterKeysSchema } from './keys.ts';

const keyOf = () => randomBytes(32).toString('base64');

it('a known browser is that of one person, and its cookie cannot be made from another', () => {
  const keys = knownBrowserKeys(masterKeysSchema.parse(keyOf()));
  const [one, other] = [writeKnownBrowser(keys, 'ana@x.example'), writeKnownBrowser(keys, 'bea@x.example')];
  const read = readKnownBrowser(keys, one);
  expect([read?.isOf('ana@x.example'), read?.isOf('bea@x.example')]).toEqual([true, false]);
  const again = readKnownBrowser(keys, writeKnownBrowser(keys, 'ana@x.example'));
  expect([again?.person === read?.person, again?.name === read?.name]).toEqual([true, false]);
  expect(readKnownBrowser(keys, other)?.person).not.toBe(read?.person);
  const [, name, check] = one.split('-');
  for (const forged of [`${other.split('-')[0]}-${name}-${check}`, `${one}x`, '', one.toLowerCase()]) {
    expect(readKnownBrowser(keys, forged)).toBeUndefined();
  }
  expect(JSON.stringify(one)).not.toContain('ana');
});

it('a known browser stays known when the key is rotated', () => {
  const [before, after] = [keyOf(), keyOf()];
  const cookie = writeKnownBrowser(knownBrowserKeys(masterKeysSchema.parse(before)), 'ana@x.example');
  const rotated = readKnownBrowser(knownBrowserKeys(masterKeysSchema.parse(`${after},${before}`)), cookie);
  expect(rotated?.isOf('ana@x.example')).toBe(true);
  expect(readKnownBrowser(knownBrowserKeys(masterKeysSchema.parse(after)), cookie)).toBeUndefined();
});
