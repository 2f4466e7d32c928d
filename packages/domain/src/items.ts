import { z } from 'zod';
import { type Currency, roundedAmount } from './currency.ts';
import { amountSchema, optionalReference, optionalText } from './fields.ts';

const itemsMax = 100;
const quantityMax = 1_000_000;
const quantityExpected = `expected a whole number from 1 to ${quantityMax}`;

/** What was sold, as callers send it. */
export const itemsSchema = z
  .array(
    z.object(
      {
        id: optionalReference(100).meta({
          description: 'The id of the product in your catalogue, as your feed for Google or Meta has it.',
        }),
        name: optionalText(200).meta({ description: 'The name of the product.' }),
        quantity: z
          .int(quantityExpected)
          .min(1, quantityExpected)
          .max(quantityMax, quantityExpected)
          .nullish()
          .meta({ description: 'How many; default 1.' }),
        price: amountSchema
          .nullish()
          .meta({ description: 'Of one, in the currency of the sale; rounded half up to its minor unit.' }),
      },
      'expected an object such as {"id": "sku-1", "quantity": 2, "price": 9.5}',
    ),
    'expected a list of objects',
  )
  .max(itemsMax, `more than ${itemsMax} items`)
  .nullish();

/** Something that was sold. The price is of one: an exact decimal with those of the currency of the sale. */
export interface SoldItem {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly quantity?: number | undefined;
  readonly price?: string | undefined;
}

/** As they are stored. Undefined: nothing is known of any. */
export const soldItemsOf = (
  sent: z.output<typeof itemsSchema>,
  currency: Currency,
): readonly SoldItem[] | undefined => {
  const items = (sent ?? []).flatMap(({ id, name, quantity, price }) => {
    const item = {
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      ...(typeof quantity === 'number' && { quantity }),
      ...(typeof price === 'string' && { price: roundedAmount(price, currency) }),
    };
    return Object.keys(item).length === 0 ? [] : [item];
  });
  return items.length === 0 ? undefined : items;
};
