import { z } from 'zod';

export const dryRunParameter = (description: string) =>
  z
    .enum(['true', 'false'], { error: 'expected true or false' })
    .default('false')
    .transform((text) => text === 'true')
    .meta({ param: { description } });
