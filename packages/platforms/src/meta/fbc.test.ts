import { describe, expect, it } from 'vitest';
import { givenConversion } from '../../test/given-conversion.ts';
import { fbcOf } from './fbc.ts';

const fbclid = 'IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk';
const createdAt = new Date(1_793_750_400_000);
const fbc = (clickParameters: Record<string, string>, landingUrl: string | null = null) =>
  fbcOf(givenConversion({ lead: { clickParameters, createdAt, landingUrl } }).lead);

describe('fbc', () => {
  it.each([
    ['is built of the click id, to the letter', { fbclid }, `fb.1.1793750400000.${fbclid}`],
    [
      'is the cookie where there is no click id',
      { _fbc: 'fb.1.1554763741205.OldClick' },
      'fb.1.1554763741205.OldClick',
    ],
    [
      'is the cookie of the same click',
      { fbclid: 'A', _fbc: 'fb.2.1554763741205.A.AQYB' },
      'fb.2.1554763741205.A.AQYB',
    ],
    [
      'is built anew for a newer click',
      { fbclid: 'NewClick', _fbc: 'fb.1.1554763741205.OldClick' },
      'fb.1.1793750400000.NewClick',
    ],
    ['passes over a garbled cookie', { fbclid: 'AbC', _fbc: 'garbage' }, 'fb.1.1793750400000.AbC'],
    ['is missing without a click', { fbclid: '' }, undefined],
    ['is missing where the click id is garbled', { fbclid: 'a.b.c.d' }, undefined],
  ])('%s', (_name, clickParameters, expected) => {
    expect(fbc(clickParameters)).toBe(expected);
  });

  it('tells when the click was made, where that was on an earlier visit', () => {
    const lead = { clickParameters: { fbclid }, createdAt, clickTimes: { fbclid: new Date(1_793_000_000_000) } };
    expect(fbcOf(givenConversion({ lead }).lead)).toBe(`fb.1.1793000000000.${fbclid}`);
  });

  it.each([
    ['is the cookie if that is newer than a remembered click', 1_793_000_000_001, 'cookie'],
    ['is built of a remembered click that is as new as the cookie', 1_793_000_000_000, 'remembered'],
    ['is built of a remembered click that is newer than the cookie', 1_792_999_999_999, 'remembered'],
  ])('%s', (_name, cookieTime, expected) => {
    const _fbc = `fb.1.${cookieTime}.OtherClick`;
    const clickTimes = { fbclid: new Date(1_793_000_000_000) };
    const { lead } = givenConversion({ lead: { clickParameters: { fbclid, _fbc }, createdAt, clickTimes } });
    expect(fbcOf(lead)).toBe(expected === 'cookie' ? _fbc : `fb.1.1793000000000.${fbclid}`);
  });

  it("is built of this visit's click, whatever the time of the cookie", () => {
    expect(fbc({ fbclid, _fbc: 'fb.1.1799999999999.OtherClick' })).toBe(`fb.1.1793750400000.${fbclid}`);
  });

  it('passes over a garbled cookie for a remembered click', () => {
    const clickTimes = { fbclid: new Date(1_793_000_000_000) };
    const { lead } = givenConversion({
      lead: { clickParameters: { fbclid, _fbc: 'fb.1.1799999999999' }, createdAt, clickTimes },
    });
    expect(fbcOf(lead)).toBe(`fb.1.1793000000000.${fbclid}`);
  });

  it('is found in the address of the page', () => {
    expect(fbc({}, `https://landing.example/offer?utm_source=fb&fbclid=${fbclid}`)).toBe(
      `fb.1.1793750400000.${fbclid}`,
    );
  });
});
