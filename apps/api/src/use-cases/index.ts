import type { Database } from '@leadback/db';
import { leadReferenceKey } from '@leadback/domain';
import { type FindKey, findKey } from './find-key.ts';
import { type RegisterClient, registerClient } from './register-client.ts';
import { type RegisterConversion, registerConversion } from './register-conversion.ts';

export interface UseCases {
  readonly findKey: FindKey;
  readonly registerClient: RegisterClient;
  readonly registerConversion: RegisterConversion;
}

export interface UseCaseOptions {
  readonly pool: Database['pool'];
  readonly secretsKey: Buffer;
}

export const useCases = ({ pool, secretsKey }: UseCaseOptions): UseCases => ({
  findKey: findKey(pool),
  registerClient: registerClient(pool, leadReferenceKey(secretsKey)),
  registerConversion: registerConversion(pool),
});
