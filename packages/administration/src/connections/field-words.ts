import type { ConnectionField, PlatformDescriptor } from '@leadback/platforms';

/** How messages name what was typed: the command line by its options, the console by the labels of its form. */
export interface FieldWords {
  readonly field: (field: Pick<ConnectionField, 'name' | 'label' | 'isFile'>) => string;
  /** What the platform calls an event of the partner. */
  readonly mapping: (eventName: string, value: string) => string;
}

/** The name of a setting or credential in a message. */
export const wordOf = ({ field }: FieldWords, { fields }: Pick<PlatformDescriptor, 'fields'>, name: string): string => {
  const known = fields.find((one) => one.name === name);
  return known ? field(known) : name;
};
