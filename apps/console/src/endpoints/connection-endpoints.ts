import {
  changeConnection,
  checkConnection,
  checkNewConnection,
  createConnection,
  pauseConnection,
  resumeConnection,
} from './change-connections.ts';
import { listConnections, listPlatforms, readConnection } from './connections.ts';
import { type GuardedEndpoint, ofAccount } from './guard.ts';

export const connectionEndpoints: readonly GuardedEndpoint[] = [
  ofAccount(listConnections, 'read'),
  ofAccount(createConnection, 'manage-connections', { secondFactor: true }),
  ofAccount(listPlatforms, 'read'),
  ofAccount(checkNewConnection, 'manage-connections', { secondFactor: true }),
  ofAccount(readConnection, 'read'),
  ofAccount(changeConnection, 'manage-connections', { secondFactor: true }),
  ofAccount(checkConnection, 'manage-connections'),
  ofAccount(pauseConnection, 'manage-connections'),
  ofAccount(resumeConnection, 'manage-connections'),
];
