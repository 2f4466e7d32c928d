import {
  amountSchema,
  currencySchema,
  emailAddressSchema,
  emailKey,
  invalidFields,
  occurredAtSchema,
  optionalText,
  requiredText,
  strictSchema,
} from '@leadback/domain';
import { z } from 'zod';

/** A row of a partner's list. Its time is checked when it is registered. */
export const listedConversionSchema = z.object(
  {
    conversionExternalReference: requiredText(255).meta({ description: 'Your identifier of the sale, as registered.' }),
    amount: amountSchema.meta({ description: 'What the sale is worth by your records now.' }),
    currency: currencySchema,
    clientExternalReference: optionalText(255).meta({
      description: 'The `externalReference` of the client, to register the sale if it is missing.',
    }),
    email: emailAddressSchema.meta({ description: 'Email address of the client, for the same purpose.' }),
    occurredAt: occurredAtSchema.meta({ description: 'When the sale occurred, for the same purpose.' }),
  },
  { error: 'expected a JSON object' },
);

/** A row as it is stored. `message`: which field is invalid, if one is. */
export interface ListedRow {
  readonly externalReference?: string | undefined;
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly clientExternalReference?: string | undefined;
  readonly emailKey?: string | undefined;
  readonly occurredAt?: string | undefined;
  readonly message?: string | undefined;
}

const eachField = listedConversionSchema.partial();
type Fields = z.output<typeof eachField>;

const rowOf = ({ conversionExternalReference, email, ...same }: Fields): ListedRow => ({
  ...same,
  externalReference: conversionExternalReference,
  emailKey: email === undefined ? undefined : emailKey(email),
});

/** The names of the columns of a list. */
export const listColumnNames = listedConversionSchema.keyof().options;

const anyValues = z.object(Object.fromEntries(listColumnNames.map((name) => [name, z.unknown()])));
const namedFields = strictSchema(z.object({ items: z.array(anyValues.catch({})) }));

/** Throws `invalid-fields` with the unknown fields of items, the first ones. Values are not checked. */
export const refuseUnknownFields = (items: readonly unknown[]): void => {
  const { error } = namedFields.safeParse({ items });
  if (error) throw invalidFields(error);
};

const sentFields = z.record(z.string(), z.unknown());

/** The fields that are valid by themselves. */
const validFields = (item: unknown): Fields => {
  const sent = sentFields.safeParse(item).data ?? {};
  const each = listColumnNames.map((name): Fields => eachField.safeParse({ [name]: sent[name] }).data ?? {});
  return Object.assign({}, ...each);
};

/**
 * An invalid row keeps its valid fields: so its conversion is not taken for one that the list does not have, and the file
 * of its rows can be corrected.
 */
export const listedRow = (item: unknown): ListedRow => {
  const { data, error } = listedConversionSchema.safeParse(item);
  if (!error) return rowOf(data);
  return { ...rowOf(validFields(item)), message: invalidFields(error, 'item').message };
};

const parsedAtOnce = 500;

/** Parses items, each by itself, part by part; other requests are served in between. */
export async function* listedItems(items: readonly unknown[]): AsyncGenerator<readonly ListedRow[]> {
  for (let from = 0; from < items.length; from += parsedAtOnce) {
    yield items.slice(from, from + parsedAtOnce).map((item) => listedRow(item));
  }
}
