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
  ofAccount(listConnections, 'read', 'reads'),
  ofAccount(createConnection, 'manage-connections', 'fresh'),
  ofAccount(listPlatforms, 'read', 'reads'),
  ofAccount(checkNewConnection, 'manage-connections', 'fresh'),
  ofAccount(readConnection, 'read', 'reads'),
  ofAccount(changeConnection, 'manage-connections', 'fresh'),
  ofAccount(checkConnection, 'manage-connections', 'tests'),
  ofAccount(pauseConnection, 'manage-connections', 'fresh'),
  ofAccount(resumeConnection, 'manage-connections', 'fresh'),
];
