import { currencySchema } from '@leadback/domain';
import { z } from 'zod';

/** The id of a row in a path or a query. It only names: what the person may see is decided on the server. */
export const rowId = z.coerce.number().int().min(1);

/** A page of a list. It may have fewer items than there is room for, even none, although there are more. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** For `after` or `before`; null: no more. */
    next: z.number().nullable(),
  });

/** Whether what tests have registered is meant. Default: what is live. */
export const testChoice = z.enum(['true', 'false']).default('false');

/** An amount of one currency, a decimal such as `31220.00`. Amounts of different currencies are never added. */
export const money = z.object({ currency: currencySchema, amount: z.string() });
export type Money = z.output<typeof money>;

declare const isShown: unique symbol;

/** A partner's reference as its reader may see it: only `personalData` makes one, so that no view sends a plain text. */
export type ShownReference = string & { readonly [isShown]: true };

export const shownReference = z.custom<ShownReference>((value) => typeof value === 'string');

/** A text, or several, in each language. */
export const inLanguages = <Text extends z.ZodType>(text: Text) => z.object({ en: text, es: text, pt: text });

/** A setting or secret, as forms show it. */
export const field = z.object({
  name: z.string(),
  texts: inLanguages(z.object({ label: z.string(), help: z.string() })),
  isRequired: z.boolean(),
  isSecret: z.boolean(),
  /** Its value is the JSON content of a file. */
  isFile: z.boolean(),
  /** All values that it may have; empty: any text of its form. */
  choices: z.array(z.string()),
  /** Its value if it is left empty; null: none. */
  standard: z.string().nullable(),
});
export type FormField = z.output<typeof field>;
