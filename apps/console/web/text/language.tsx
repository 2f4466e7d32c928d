import type { Language } from '@leadback/domain';
import { decimalsOf, isCurrency } from '@leadback/domain/currency';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { kept } from '../state.ts';

/** The names of the languages, each in itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', es: 'Español', pt: 'Português' };

const isLanguage = (text: string): text is Language => Object.hasOwn(languageNames, text);
const storage = kept('leadback.language');

/** The language that the person chose, else the first one of the browser that the console has. */
const initialLanguage = (): Language => {
  const wanted = [storage.read() ?? '', ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find(isLanguage) ?? 'en';
};

interface LanguageChoice {
  readonly language: Language;
  readonly choose: (language: Language) => void;
}

const Choice = createContext<LanguageChoice>({ language: 'en', choose: () => undefined });

export const LanguageProvider = ({ children }: { readonly children: ReactNode }) => {
  const [language, setLanguage] = useState(initialLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      choose: (chosen: Language) => {
        storage.write(chosen);
        setLanguage(chosen);
      },
    }),
    [language],
  );
  return <Choice value={choice}>{children}</Choice>;
};

export const useLanguage = (): LanguageChoice => use(Choice);

/** The texts of one screen in all languages. */
export type Texts<T> = Readonly<Record<Language, T>>;

export const useTexts = <T,>(texts: Texts<T>): T => texts[useLanguage().language];

const day = { timeZone: 'UTC', day: 'numeric', month: 'short' } as const;
const oneDecimal = { maximumFractionDigits: 1 } as const;

/** How numbers, money and times read in a language. A day is a date, without a time zone: accounts have their own. */
interface Format {
  readonly count: (value: number) => string;
  /** With at most one decimal. */
  readonly decimal: (value: number) => string;
  /** In few characters: 12.4K. For axes. */
  readonly compact: (value: number) => string;
  /** `0.123` → 12.3%. */
  readonly percent: (share: number) => string;
  /** With a sign: +12.3%. */
  readonly change: (share: number) => string;
  /** `USD 31,220`: the code, because several countries write $ for their currency. */
  readonly money: (amount: number | string, currency: string) => string;
  /** As money, where the currency is said beside it. */
  readonly amount: (amount: number, currency: string) => string;
  /** `2026-11-22` → 22 Nov. */
  readonly day: (day: string) => string;
  readonly dayWithYear: (day: string) => string;
  readonly weekday: (day: string) => string;
  /** In the person's time zone. */
  readonly time: (iso: string) => string;
  readonly timeWithZone: (iso: string) => string;
  /** 3 hours ago. */
  readonly ago: (iso: string, now: number) => string;
  /** 250 ms, 1.4 s. */
  readonly duration: (ms: number) => string;
}

const steps = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;

/** The decimals of ISO 4217: browsers have others for COP, HUF and some more. */
const placesOf = (currency: string) => {
  const places = isCurrency(currency) ? decimalsOf(currency) : 2;
  return {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    trailingZeroDisplay: 'stripIfInteger',
  } as const;
};

const make = (language: Language): Format => {
  // Spanish groups only from five digits, so that columns would have both
  const number = (options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(language, { useGrouping: 'always', ...options });
  const date = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options);
  const count = number();
  const decimal = number(oneDecimal);
  const compact = number({ notation: 'compact', ...oneDecimal });
  const percent = number({ style: 'percent', ...oneDecimal });
  const change = number({ style: 'percent', signDisplay: 'exceptZero', ...oneDecimal });
  const short = date(day);
  const withYear = date({ ...day, year: 'numeric' });
  const weekday = date({ ...day, weekday: 'short' });
  const time = date({ dateStyle: 'medium', timeStyle: 'medium' });
  const zone = date({ dateStyle: 'medium', timeStyle: 'long' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    count: (value) => count.format(value),
    decimal: (value) => decimal.format(value),
    compact: (value) => compact.format(value),
    percent: (share) => percent.format(share),
    change: (share) => change.format(share),
    money: (amount, currency) =>
      number({ style: 'currency', currency, currencyDisplay: 'code', ...placesOf(currency) }).format(Number(amount)),
    amount: (amount, currency) => number(placesOf(currency)).format(amount),
    day: (iso) => short.format(new Date(iso)),
    dayWithYear: (iso) => withYear.format(new Date(iso)),
    weekday: (iso) => weekday.format(new Date(iso)),
    time: (iso) => time.format(new Date(iso)),
    timeWithZone: (iso) => zone.format(new Date(iso)),
    ago: (iso, now) => {
      const passed = new Date(iso).getTime() - now;
      const step = steps.find(({ ms }) => Math.abs(passed) >= ms);
      return step ? relative.format(Math.trunc(passed / step.ms), step.unit) : relative.format(0, 'minute');
    },
    duration: (ms) =>
      ms < 1000
        ? number({ style: 'unit', unit: 'millisecond' }).format(ms)
        : number({ style: 'unit', unit: 'second', ...oneDecimal }).format(ms / 1000),
  };
};

const formats = new Map<Language, Format>();

const formatOf = (language: Language): Format => {
  const known = formats.get(language);
  if (known) return known;
  const made = make(language);
  formats.set(language, made);
  return made;
};

export const useFormat = (): Format => formatOf(useLanguage().language);
