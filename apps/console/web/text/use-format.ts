import { type Format, formatOf } from './format.ts';
import { useLanguage } from './language.tsx';

export const useFormat = (): Format => formatOf(useLanguage().language);
