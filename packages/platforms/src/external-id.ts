import type { Attributed } from '@leadback/domain';
import { hashedIdentifier } from './sha256.ts';

const withoutBlanks = (text: string) => text.replace(/\s/g, '').toLowerCase();

/** The account's own reference of the client, hashed; `undefined` if it has none. */
export const givenExternalId = ({ externalReference }: Attributed['client']): string | undefined =>
  hashedIdentifier(externalReference, withoutBlanks);

/** Whether the account has a reference of the client. */
export const hasGivenExternalId = ({ externalReference }: Attributed['client']): boolean =>
  withoutBlanks(externalReference ?? '') !== '';

/**
 * The client id of this installation, hashed: sent if the account has no reference, although no pixel ever reported it.
 * It includes the installation's id, because the hash of a bare number could belong to another shop's customer.
 */
export const ownExternalId = ({
  installationId,
  client,
}: Pick<Attributed, 'installationId' | 'client'>): string | undefined =>
  hashedIdentifier(`leadback-${installationId}-${client.id}`, withoutBlanks);
