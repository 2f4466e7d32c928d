/** Whether an account registers a person with the email or phone number of an erased one. */
export const erasedPersonsChoices = ['allow', 'suppress'] as const;
export type ErasedPersons = (typeof erasedPersonsChoices)[number];
