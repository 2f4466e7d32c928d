import { z } from 'zod';

declare const isShown: unique symbol;

/** A partner's reference as its reader may see it: only `personalData` makes one, so that no view sends a plain text. */
export type ShownReference = string & { readonly [isShown]: true };

export const shownReference = z.custom<ShownReference>((value) => typeof value === 'string');
