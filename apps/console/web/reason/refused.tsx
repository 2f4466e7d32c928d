import { useLanguage } from '../text/language.tsx';
import { type Translate, translated } from './texts.ts';

/** Returns what the server says in the language of the screen; undefined if its words are not known there. */
export const useTranslated = (translate: Translate): ((message: string) => string | undefined) => {
  const { language } = useLanguage();
  return (message) => (language === 'en' ? message : translate(message, language));
};

/** What is wrong with a row, as the server says it: in the language of the screen where its words are known. */
export const Refused = ({ message }: { readonly message: string }) => {
  const words = useTranslated(translated)(message);
  return words === undefined ? <span lang="en">{message}</span> : <span>{words}</span>;
};
