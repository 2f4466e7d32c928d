import type { Language } from '@leadback/domain';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { kept } from '../kept.ts';

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
