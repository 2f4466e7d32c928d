import { describe, expect, it } from 'vitest';
import { givenConversion } from '../../test/given-conversion.ts';
import { fbcOf } from './event.ts';

const fbclid = 'IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk';
const createdAt = new Date(1_793_750_400_000);
const fbc = (clickParameters: Record<string, string>, landingUrl: string | null = null) =>
  fbcOf(givenConversion({ lead: { clickParameters, createdAt, landingUrl } }).lead);

describe('fbc', () => {
  it.each([
    ['is built from the unchanged click id', { fbclid }, `fb.1.1793750400000.${fbclid}`],
    ['is the cookie if there is no click id', { _fbc: 'fb.1.1554763741205.OldClick' }, 'fb.1.1554763741205.OldClick'],
    [
      'is the cookie of the same click',
      { fbclid: 'A', _fbc: 'fb.2.1554763741205.A.AQYB' },
      'fb.2.1554763741205.A.AQYB',
    ],
    [
      'is built from a click newer than the cookie',
      { fbclid: 'NewClick', _fbc: 'fb.1.1554763741205.OldClick' },
      'fb.1.1793750400000.NewClick',
    ],
    ['ignores a malformed cookie', { fbclid: 'AbC', _fbc: 'garbage' }, 'fb.1.1793750400000.AbC'],
    ['is missing without a click', { fbclid: '' }, undefined],
    ['is missing if the click id is malformed', { fbclid: 'a.b.c.d' }, undefined],
  ])('fbc %s', (_name, clickParameters, expected) => {
    expect(fbc(clickParameters)).toBe(expected);
  });

  it('fbc has the time of the click if it was made on an earlier visit', () => {
    const lead = { clickParameters: { fbclid }, createdAt, clickTimes: { fbclid: new Date(1_793_000_000_000) } };
    expect(fbcOf(givenConversion({ lead }).lead)).toBe(`fb.1.1793000000000.${fbclid}`);
  });

  it.each([
    ['is the cookie if it is newer than a remembered click', 1_793_000_000_001, 'cookie'],
    ['is built from a remembered click that is as new as the cookie', 1_793_000_000_000, 'remembered'],
    ['is built from a remembered click that is newer than the cookie', 1_792_999_999_999, 'remembered'],
  ])('fbc %s', (_name, cookieTime, expected) => {
    const _fbc = `fb.1.${cookieTime}.OtherClick`;
    const clickTimes = { fbclid: new Date(1_793_000_000_000) };
    const { lead } = givenConversion({ lead: { clickParameters: { fbclid, _fbc }, createdAt, clickTimes } });
    expect(fbcOf(lead)).toBe(expected === 'cookie' ? _fbc : `fb.1.1793000000000.${fbclid}`);
  });

  it('fbc is built from the click of this visit, whatever the time of the cookie', () => {
    expect(fbc({ fbclid, _fbc: 'fb.1.1799999999999.OtherClick' })).toBe(`fb.1.1793750400000.${fbclid}`);
  });

  it('fbc is built from a remembered click if the cookie is malformed', () => {
    const clickTimes = { fbclid: new Date(1_793_000_000_000) };
    const { lead } = givenConversion({
      lead: { clickParameters: { fbclid, _fbc: 'fb.1.1799999999999' }, createdAt, clickTimes },
    });
    expect(fbcOf(lead)).toBe(`fb.1.1793000000000.${fbclid}`);
  });

  it('fbc is built from the fbclid in the URL of the page', () => {
    expect(fbc({}, `https://landing.example/offer?utm_source=fb&fbclid=${fbclid}`)).toBe(
      `fb.1.1793750400000.${fbclid}`,
    );
  });
});
