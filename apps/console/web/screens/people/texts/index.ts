import type { Texts } from '../../../text/language.tsx';
import { type PeopleTexts, peopleEn } from './en.ts';
import { peopleEs } from './es.ts';
import { peoplePt } from './pt.ts';

export const peopleTexts: Texts<PeopleTexts> = { en: peopleEn, es: peopleEs, pt: peoplePt };
