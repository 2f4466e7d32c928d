export {
  type LeadbackAppName,
  leadbackAppNames,
  serversOf,
  type Surroundings,
  startLeadbackApp,
} from './apps/leadback-app.ts';
export { type LocalProcess, startProcess } from './apps/start-process.ts';
export { hiddenFieldsIn } from './hidden-fields.ts';
export { answersOk, assertPortFree, freePort, localUrl } from './network.ts';
export {
  asDatabaseRole,
  type DatabaseRole,
  databaseRoles,
  makeRoles,
  asUser,
  namedUser,
  serverUserOf,
  startedByRoot,
} from './postgres/cluster.ts';
export { type LocalPostgres, startPostgres } from './postgres/start-postgres.ts';
export {
  atExit,
  forgetServer,
  sendSignal,
  inheritedEnvironment,
  runCommand,
  type Child,
  startChild,
  whenReady,
} from './processes/processes.ts';
export { ensureRabbitmq } from './rabbitmq/bring-rabbitmq.ts';
export type { LocalBroker } from './rabbitmq/rabbitmq-runtime.ts';
export { asBrokerUser } from './rabbitmq/node.ts';
export { type ClusterNode, startRabbitmqCluster } from './rabbitmq/start-cluster.ts';
export { startRabbitmq } from './rabbitmq/start-rabbitmq.ts';
export type { LocalServer } from './restartable-server.ts';
export {
  findChromium,
  findInterpreter,
  findPromtool,
  interpreters,
  findExecutable,
  findOrInstall,
} from './system/find-program.ts';
