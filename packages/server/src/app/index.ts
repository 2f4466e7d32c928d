export { appSettings, parseEnv, portSchema, repeat, runApp, stopSignal } from './app.ts';
export { jobs, startJobs } from './jobs.ts';
export { instruments, createMetrics, type Metrics, watchBroker, watchDatabase } from './metrics.ts';
export { createLogger, type Logger } from './logger.ts';
export {
  brokerUrl,
  databaseSettings,
  portText,
  publicUrls,
  refuseUnsafe,
  secretsKeyText,
  serverAllowances,
  serverSettings,
  type ReadServer,
  type ServerAddress,
} from './server-settings.ts';
