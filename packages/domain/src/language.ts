/** Languages of the built-in texts of landing pages. */
export const languages = ['en', 'es', 'pt'] as const;
export type Language = (typeof languages)[number];
