import { z } from 'zod';

/**
 * Paths that are no landing pages: those of landing and of what stands beside it (`data`: the page on which visitors see
 * and erase their data), and those at which load balancers commonly ask for health.
 */
export const reservedSlugs: readonly string[] = [
  'data preview media well-known robots favicon api docs console leadback',
  'health healthz healthcheck health-check ready readyz readiness live livez liveness status ping metrics',
].flatMap((names) => names.split(' '));

export const isReservedSlug = (slug: string): boolean => reservedSlugs.includes(slug);

/** The path of a landing page: lower-case letters, digits and single dashes between them, at most 64 characters. */
export const slugSchema = z
  .string()
  .max(64, 'longer than 64 characters')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected lower-case letters, digits and single dashes between them')
  .refine((slug) => !isReservedSlug(slug), 'reserved: Leadback or its load balancer uses this path; choose another');
