import { join } from 'node:path';
import { masterKeysSchema, writeAppKeys } from '@leadback/domain/keys';
import { localUrl } from '../network.ts';
import { asDatabaseRole, databaseRoles } from '../postgres/cluster.ts';
import { asBrokerUser } from '../rabbitmq/node.ts';
import { type LocalProcess, startProcess } from './start-process.ts';

/** Servers, folders and ports of the apps. */
export interface Surroundings {
  /** The root of the repository. */
  readonly root: string;
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  /** 32 bytes in base64, or several such keys with commas between them. */
  readonly secretsKey: string;
  readonly logFolder: string;
  /** Where the landing app keeps leads if neither PostgreSQL nor RabbitMQ is available. */
  readonly leadSpoolFolder: string;
  /** Where the sandbox stores received events; without it they are kept in memory. */
  readonly sandboxEventsFile?: string;
  /** URL of all platforms; default: the sandbox. */
  readonly platformUrl?: string;
  /** More environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Responds with 200 when a started app can be used; default: `/ready`. */
  readonly readyPath?: '/health';
  /** Runs what `turbo run build` has made, as the images do, instead of the sources. It starts in a third of the time. */
  readonly isBundled?: boolean;
  /** URLs of modules that an app loads before its own. */
  readonly imports?: readonly string[];
  readonly ports: {
    readonly landing: number;
    readonly api: number;
    readonly sandbox: number;
    readonly console: number;
    readonly operations: Readonly<Record<'landing' | 'api' | 'feedback-worker' | 'console', number>>;
  };
}

export const leadbackAppNames = ['landing', 'api', 'feedback-worker', 'console', 'sandbox'] as const;
export type LeadbackAppName = (typeof leadbackAppNames)[number];

type Servers = Pick<Surroundings, 'databaseUrl' | 'amqpUrl'>;

/** The URLs of local servers for an app, which has a database role and a broker user of its own, as in production. */
export const serversOf = (name: LeadbackAppName, { databaseUrl, amqpUrl }: Servers): Servers =>
  name === 'sandbox'
    ? { databaseUrl, amqpUrl }
    : { databaseUrl: asDatabaseRole(databaseUrl, databaseRoles[name]), amqpUrl: asBrokerUser(amqpUrl, name) };

interface Plan {
  readonly folder: string;
  readonly port?: number;
  readonly readyUrl: string;
  readonly nodeOptions?: string;
}

const plans: Record<LeadbackAppName, (around: Surroundings) => Plan> = {
  landing: ({ ports, readyPath = '/ready' }) => ({
    folder: 'apps/landing',
    port: ports.landing,
    readyUrl: localUrl(ports.operations.landing) + readyPath,
  }),
  api: ({ ports, readyPath = '/ready' }) => ({
    folder: 'apps/api',
    port: ports.api,
    readyUrl: localUrl(ports.operations.api) + readyPath,
  }),
  'feedback-worker': ({ ports, readyPath = '/ready' }) => ({
    folder: 'apps/feedback-worker',
    readyUrl: localUrl(ports.operations['feedback-worker']) + readyPath,
    // as in its image: without limits, Node lets garbage grow before it collects it
    nodeOptions: '--max-semi-space-size=32 --max-old-space-size=256',
  }),
  console: ({ ports, readyPath = '/ready' }) => ({
    folder: 'apps/console',
    port: ports.console,
    readyUrl: localUrl(ports.operations.console) + readyPath,
  }),
  sandbox: ({ ports }) => ({
    folder: 'packages/platform-sandbox',
    port: ports.sandbox,
    readyUrl: `${localUrl(ports.sandbox)}/health`,
  }),
};

/** Each app has only the keys that it needs. */
const keysOf = (name: LeadbackAppName, { secretsKey }: Surroundings) =>
  name === 'sandbox' ? {} : { SECRETS_KEY: writeAppKeys(masterKeysSchema.parse(secretsKey), name) };

/** Starts an app against the sandbox and waits until it is ready. Throws with its last log lines if it is not after 30 s. */
export const startLeadbackApp = (name: LeadbackAppName, around: Surroundings): Promise<LocalProcess> => {
  const { folder, port, readyUrl, nodeOptions } = plans[name](around);
  const { platformUrl = localUrl(around.ports.sandbox), settings, imports = [], isBundled = false } = around;
  return startProcess({
    name,
    script: isBundled ? 'dist/main.js' : 'src/main.ts',
    imports,
    cwd: join(around.root, folder),
    logFile: join(around.logFolder, `${name}.log`),
    readyUrl,
    env: {
      NODE_ENV: 'production', // as in the images
      DATABASE_URL: around.databaseUrl,
      AMQP_URL: around.amqpUrl,
      ...keysOf(name, around),
      HOST: '127.0.0.1',
      ...(port !== undefined && { PORT: String(port) }),
      ...(nodeOptions !== undefined && { NODE_OPTIONS: nodeOptions }),
      ...(name !== 'sandbox' && { OPERATIONS_PORT: String(around.ports.operations[name]) }),
      LEAD_SPOOL_FOLDER: around.leadSpoolFolder,
      ...(around.sandboxEventsFile !== undefined && { EVENTS_FILE: around.sandboxEventsFile }),
      PLATFORM_SANDBOX_URL: platformUrl,
      ...(name === 'console' && { LANDING_URL: localUrl(around.ports.landing) }),
      CONSOLE_URL: localUrl(around.ports.console),
      API_URL: localUrl(around.ports.api),
      ...settings,
    },
  });
};
