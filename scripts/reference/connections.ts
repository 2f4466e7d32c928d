import { connectionTable } from '../../apps/operator/src/commands/connection.ts';
import { pageOf } from './table.ts';

export const connectionsPage = (): string =>
  pageOf(
    'Options of connections',
    'For operators: what `connection create` and `connection change` take for each platform. [Connect a platform](../connections.md) says where to find each value.',
    connectionTable(),
  );
