export { appSettings } from './app-settings.ts';
export { instruments } from './instruments.ts';
export { createLogger, type Logger } from './logger.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { parseEnv } from './parse-env.ts';
export { portSchema } from './port-schema.ts';
export { repeat } from './repeat.ts';
export { runApp } from './run-app.ts';
export {
  databaseSettings,
  refuseUnsafe,
  serverAllowances,
  serverSettings,
  type ReadServer,
  type ServerAddress,
} from './server-settings.ts';
export { stopSignal } from './stop-signal.ts';
export { watchBroker, watchDatabase } from './watch-servers.ts';
