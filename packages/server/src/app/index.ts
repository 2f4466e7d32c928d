export { appSettings, parseEnv, portSchema, repeat, runApp, stopSignal } from './app.ts';
export { jobs, startJobs } from './jobs.ts';
export { instruments, createMetrics, type Metrics, watchBroker, watchDatabase } from './metrics.ts';
export { createLogger, type Logger } from './logger.ts';
export {
  databaseSettings,
  refuseUnsafe,
  serverAllowances,
  serverSettings,
  type ReadServer,
  type ServerAddress,
} from './server-settings.ts';
