import type { Database } from '@leadback/db';
import { type Keys, leadReferenceKeys } from '@leadback/secrets';
import { type ReadClient, readClient } from './read-client.ts';
import { type ReadConversion, readConversion } from './read-conversion.ts';
import { type RegisterClient, registerClient } from './register-client.ts';
import { type RegisterConversion, registerConversion } from './register-conversion.ts';

export interface UseCases {
  readonly registerClient: RegisterClient;
  readonly registerConversion: RegisterConversion;
  readonly readClient: ReadClient;
  readonly readConversion: ReadConversion;
}

export interface UseCaseOptions {
  readonly pool: Database['pool'];
  readonly secretsKeys: Keys;
}

export const useCases = ({ pool, secretsKeys }: UseCaseOptions): UseCases => ({
  registerClient: registerClient(pool, leadReferenceKeys(secretsKeys)),
  registerConversion: registerConversion(pool),
  readClient: readClient(pool),
  readConversion: readConversion(pool),
});
