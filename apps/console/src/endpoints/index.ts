import { connectionEndpoints } from './connection-endpoints.ts';
import { listDeliveries, readDelivery, retryDeliveries } from './deliveries.ts';
import { forEverybody, forSession, type GuardedEndpoint, ofAccount } from './guard.ts';
import { acceptInvitation, choosePassword, readInvitation } from './invitation.ts';
import { readOverview } from './read-overview.ts';
import { readSession } from './read-session.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { stepUp } from './step-up.ts';
import { listTasks, readTask } from './tasks.ts';
import { countRetry, readUndelivered, retryUndelivered } from './undelivered.ts';

/** Every endpoint of the console, with who may call it. */
export const endpoints: readonly GuardedEndpoint[] = [
  forEverybody(readSession),
  forEverybody(signIn),
  forEverybody(signOut),
  forSession(stepUp),
  forEverybody(readInvitation),
  forEverybody(choosePassword),
  forEverybody(acceptInvitation),
  ofAccount(readOverview, 'read'),
  ofAccount(readUndelivered, 'read'),
  ofAccount(countRetry, 'retry'),
  ofAccount(retryUndelivered, 'retry'),
  ofAccount(listTasks, 'read'),
  ofAccount(readTask, 'read'),
  ofAccount(listDeliveries, 'read'),
  ofAccount(retryDeliveries, 'retry'),
  ofAccount(readDelivery, 'read'),
  ...connectionEndpoints,
];
