import { masterKeysSchema } from '@leadback/domain/keys';
import { z } from 'zod';
import { assertPortFree } from '@leadback/testing/stack';
import { nextCode } from './demo.ts';
import type { Running } from './data-folder.ts';

const portOr = (otherwise: number) => z.coerce.number().int().min(1).max(65_535).default(otherwise);

const settingsSchema = z.object({
  DATABASE_URL: z.url().optional(),
  AMQP_URL: z.url().optional(),
  ALLOW_UNENCRYPTED_SERVERS: z.string().optional(),
  ALLOW_UNVERIFIED_SERVERS: z.string().optional(),
  SECRETS_KEY: z
    .string()
    .refine((text) => masterKeysSchema.safeParse(text).success, 'expected 32 bytes in base64, or several such keys')
    .optional(),
  LANDING_PORT: portOr(3000),
  API_PORT: portOr(3001),
  SHOP_PORT: portOr(3002),
  SANDBOX_PORT: portOr(3003),
  CONSOLE_PORT: portOr(3004),
  /** landing's operations port; those of api, feedback-worker and console follow. */
  OPERATIONS_PORT_BASE: portOr(9100).pipe(z.number().max(65_532)),
});

type StartSettings = z.infer<typeof settingsSchema>;

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

/** The operations ports are consecutive. */
export const portsOf = (settings: StartSettings) => {
  const first = settings.OPERATIONS_PORT_BASE;
  return {
    landing: settings.LANDING_PORT,
    api: settings.API_PORT,
    shop: settings.SHOP_PORT,
    sandbox: settings.SANDBOX_PORT,
    console: settings.CONSOLE_PORT,
    operations: { landing: first, api: first + 1, 'feedback-worker': first + 2, console: first + 3 },
  };
};

type Ports = ReturnType<typeof portsOf>;

/** Throws if a port is in use; the error names the setting that changes it. */
export const assertPortsFree = async ({ landing, api, shop, sandbox, console, operations }: Ports): Promise<void> => {
  await assertPortFree(landing, 'LANDING_PORT');
  await assertPortFree(api, 'API_PORT');
  await assertPortFree(shop, 'SHOP_PORT');
  await assertPortFree(sandbox, 'SANDBOX_PORT');
  await assertPortFree(console, 'CONSOLE_PORT');
  for (const port of Object.values(operations)) await assertPortFree(port, 'OPERATIONS_PORT_BASE');
};

export const welcome = ({ api, sandbox, console, operations, demo }: Running): string => `
Leadback is running.
  landing page      ${demo.landingPage}?gclid=try-me&fbclid=try-me   (open it in a browser)
  direct page       ${demo.directPage}?gclid=try-me   (redirects at once)
  API               ${api}   (documentation: ${new URL('/docs', api).href})
  console           ${console}   (sign in as ${demo.console.email}, password ${demo.console.password}, code ${nextCode(demo.console.secondFactor)} within a minute)
                    later codes: add the key ${demo.console.secondFactor} to an authenticator app
  platforms         ${sandbox}   (sandbox of all platforms: shows the events that they received)
  operations        ${operations.landing}  ${operations.api}  ${operations['feedback-worker']}  ${operations.console}   (/health /ready /metrics)
  API key           ${demo.apiKey}
  operator          npm run operator -- metrics --account ${demo.accountId}   (--help lists all commands)

Try it: click like a visitor, register the client with the serviceId of the redirect, then register a conversion.
  curl -si '${demo.directPage}?gclid=try-me' -A 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0' | grep -i ^location
  curl -s ${api}/client -H 'x-api-key: ${demo.apiKey}' -H 'content-type: application/json' -d '{"leadReference":"PUT serviceId HERE","externalReference":"customer-1","email":"ana@example.com"}'
  curl -s ${api}/client/conversion -H 'x-api-key: ${demo.apiKey}' -H 'content-type: application/json' -d '{"clientExternalReference":"customer-1","conversionExternalReference":"order-1","amount":149.9,"currency":"USD"}'

Press Ctrl-C to stop everything.`;
