import { z } from 'zod';
import { platformList } from './registry.ts';

/**
 * The settings of the platforms as environment variables: part of a settings schema. They are optional; the registry
 * knows the URLs of the real platforms.
 */
export const platformSettings = (
  descriptors = platformList,
): { readonly PLATFORM_SANDBOX_URL: z.ZodOptional<z.ZodURL> } => ({
  ...Object.fromEntries(
    descriptors.flatMap(({ env }) => Object.entries(env).map(([name, { schema }]) => [name, schema.optional()])),
  ),
  /** Replaces the URLs of all platforms, except those that have a setting of their own. */
  PLATFORM_SANDBOX_URL: z.url().optional(),
});
