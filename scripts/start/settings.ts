import { masterKeysSchema } from '@leadback/secrets';
import { z } from 'zod';

const port = (otherwise: number) => z.coerce.number().int().min(1).max(65_535).default(otherwise);

const settingsSchema = z.object({
  DATABASE_URL: z.url().optional(),
  AMQP_URL: z.url().optional(),
  ALLOW_UNENCRYPTED_SERVERS: z.string().optional(),
  ALLOW_UNVERIFIED_SERVERS: z.string().optional(),
  SECRETS_KEY: z
    .string()
    .refine((text) => masterKeysSchema.safeParse(text).success, 'expected 32 bytes in base64, or several such keys')
    .optional(),
  LANDING_PORT: port(3000),
  API_PORT: port(3001),
  SHOP_PORT: port(3002),
  SANDBOX_PORT: port(3003),
  CONSOLE_PORT: port(3004),
  /** landing's operations port; those of api, feedback-worker and console follow. */
  OPERATIONS_PORT_BASE: port(9100).pipe(z.number().max(65_532)),
});

export type StartSettings = z.infer<typeof settingsSchema>;

/** Settings of `npm start`. It starts PostgreSQL and RabbitMQ unless their URLs are set. */
export const readSettings = (): StartSettings => {
  const { success, data, error } = settingsSchema.safeParse(process.env);
  if (success) return data;
  throw new Error(`invalid settings in the environment:\n${z.prettifyError(error)}`);
};

/** The tracing settings, which are passed to the apps. */
export const openTelemetrySettings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('OTEL_') && value !== undefined ? [[name, value]] : [],
    ),
  );
