import { z } from 'zod';

/** What a person may do in an account, or across accounts. */
export const capabilities = [
  'read',
  'see-personal-data',
  'retry',
  'edit-pages',
  'manage-connections',
  'manage-webhooks',
  'manage-keys',
  'import-sales',
  'erase',
  'read-audit',
  'manage-people',
  'manage-accounts',
] as const;

export const capabilitySchema = z.enum(capabilities);
export type Capability = z.output<typeof capabilitySchema>;
