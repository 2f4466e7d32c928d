/** How the contact data of an account is stored. Data that is stored already stays as it is. */
export const contactStorages = ['encrypted', 'plain'] as const;
export type ContactStorage = (typeof contactStorages)[number];
