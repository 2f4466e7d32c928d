import type { Contacts } from '@leadback/db';
import type { Keys } from '@leadback/domain/keys';
import { registerClients, registerConversions } from '../batches.ts';
import type { ImportSubject } from './import-subject.ts';
import type { RegisterItems } from './register-slice.ts';

/** What registers the rows of an import: the same as the items of a batch. */
export const itemRegistrars = (
  referenceKeys: Keys,
  contacts: Contacts,
): Readonly<Record<ImportSubject, RegisterItems>> => ({
  client: (on, mode, items) => registerClients(on, mode, items, { referenceKeys, contacts }),
  conversion: (on, mode, items) => registerConversions(on, mode, items, contacts),
});
