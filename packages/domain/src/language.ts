/** The languages that our own words on a landing page are written in. */
export const languages = ['en', 'es', 'pt'] as const;
export type Language = (typeof languages)[number];
