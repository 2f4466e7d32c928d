import { tracingSettings } from '@leadback/tracing';
import { z } from 'zod';
import { portSchema } from './port-schema.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The settings of every app: the shape of a zod object, to spread into the schema of an app. */
export const appSettings = (operationsPort: number) => ({
  HOST: z.string().default('0.0.0.0'),
  OPERATIONS_HOST: z.string().default('127.0.0.1'),
  OPERATIONS_PORT: portSchema.default(operationsPort),
  LOG_LEVEL: z.enum(logLevels).default('info'),
  ...tracingSettings,
});
