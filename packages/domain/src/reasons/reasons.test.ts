import { expect, it } from 'vitest';
import { heldReasons, skipReasons } from '../delivery.ts';
import { languages } from '../landing-page.ts';
import { reasonText, reasonTexts } from './index.ts';

const weekDays = 7;

const sentences = (language: (typeof languages)[number]) =>
  [...skipReasons, ...heldReasons].map((code) => {
    const { title, meaning, remedy } = reasonTexts[language][code];
    const means = typeof meaning === 'function' ? meaning(weekDays) : meaning;
    return [title, means ?? '', remedy ?? ''].join(' | ');
  });

it('every reason of a skipped or held delivery has a text in each language, and not in the words of another', () => {
  expect(skipReasons.length).toBeGreaterThan(15);
  const all = languages.flatMap(sentences);
  expect(all.filter((text) => text.startsWith(' | '))).toEqual([]);
  expect(new Set(all).size).toBe(all.length);
  for (const language of languages) {
    const { meaning } = reasonTexts[language].event_too_old;
    expect(typeof meaning === 'function' && meaning(weekDays)).toContain('7');
    expect(skipReasons.filter((code) => !reasonTexts[language][code].meaning)).toEqual([]);
  }
});

it('the reasons that have a remedy have one in each language', () => {
  const helped = languages.map((language) => skipReasons.filter((code) => 'remedy' in reasonTexts[language][code]));
  expect(helped[0]?.length).toBeGreaterThan(5);
  expect(helped).toEqual([helped[0], helped[0], helped[0]]);
});

it("Google's codes that mean the same have the same text, and a code of which we know nothing has none", () => {
  expect(reasonText('es', 'UNKNOWN_CONSENT')).toBe(reasonText('es', 'DENIED_CONSENT'));
  expect(reasonText('es', 'INVALID_CURRENCY_CODE')).toBeUndefined();
  expect(reasonText('es', 'constructor')).toBeUndefined();
});
