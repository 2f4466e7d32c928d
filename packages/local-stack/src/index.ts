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
export { asDatabaseRole, type DatabaseRole, databaseRoles, makeRoles } from './postgres/roles.ts';
export { asUser, namedUser, serverUserOf, startedByRoot } from './postgres/server-user.ts';
export { type LocalPostgres, startPostgres } from './postgres/start-postgres.ts';
export { atExit } from './processes/at-exit.ts';
export { forgetServer } from './processes/folder-claim.ts';
export { sendSignal } from './processes/process-table.ts';
export { inheritedEnvironment, runCommand } from './processes/run-command.ts';
export { type Child, startChild, whenReady } from './processes/start-child.ts';
export { ensureRabbitmq } from './rabbitmq/bring-rabbitmq.ts';
export type { LocalBroker } from './rabbitmq/rabbitmq-runtime.ts';
export { asBrokerUser } from './rabbitmq/broker-url.ts';
export { type ClusterNode, startRabbitmqCluster } from './rabbitmq/start-cluster.ts';
export { startRabbitmq } from './rabbitmq/start-rabbitmq.ts';
export type { LocalServer } from './restartable-server.ts';
export { findChromium, findInterpreter, findPromtool, interpreters } from './system/find-program.ts';
export { findExecutable } from './system/find-executable.ts';
export { findOrInstall } from './system/find-or-install.ts';
