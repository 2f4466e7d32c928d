import type { Language } from '@leadback/domain';

export const languageList: readonly Language[] = ['en', 'es', 'pt'];
