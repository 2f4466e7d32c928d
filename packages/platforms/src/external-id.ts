import type { AttributedConversion } from '@leadback/domain';
import { hashedIdentifier } from './sha256.ts';

const withoutBlanks = (text: string) => text.replace(/\s/g, '').toLowerCase();

/** By which the account itself knows the client, hashed; `undefined` where it gave nothing. */
export const givenExternalId = ({ externalReference }: AttributedConversion['client']): string | undefined =>
  hashedIdentifier(externalReference, withoutBlanks);

/**
 * Our own client id, hashed: sent where the account gave none, but no pixel of the account ever told it to a platform.
 * A bare number would be the hash of another shop's customer, so it names the installation as well.
 */
export const ownExternalId = ({
  installationId,
  client,
}: Pick<AttributedConversion, 'installationId' | 'client'>): string | undefined =>
  hashedIdentifier(`leadback-${installationId}-${client.id}`, withoutBlanks);
