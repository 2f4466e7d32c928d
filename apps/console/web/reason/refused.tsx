import { useLanguage } from '../text/language.tsx';
import { translated } from './texts.ts';

/** What is wrong with a row, as the server says it: in the language of the screen where its words are known. */
export const Refused = ({ message }: { readonly message: string }) => {
  const { language } = useLanguage();
  const words = language === 'en' ? undefined : translated(message, language);
  return words === undefined ? <span lang="en">{message}</span> : <span>{words}</span>;
};
