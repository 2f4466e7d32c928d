import type { Role } from '@leadback/domain';
import type { Endpoint } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import { readers, retriers } from '../sessions/allowed-roles.ts';
import { ofAccount, signedIn } from '../sessions/authenticate.ts';
import { listDeliveries, readDelivery, retryDeliveries } from './deliveries.ts';
import { acceptInvitation, choosePassword, readInvitation } from './invitation.ts';
import { readOverview } from './read-overview.ts';
import { readSession } from './read-session.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { stepUp } from './step-up.ts';
import { listTasks, readTask } from './tasks.ts';
import { countRetry, readUndelivered, retryUndelivered } from './undelivered.ts';

/** Who may call an endpoint: everybody, people who are signed in, or those of the roles in the account of its path. */
export type Access = 'everybody' | 'signed-in' | readonly Role[];

interface GuardedEndpoint extends Endpoint<ConsoleContext> {
  readonly access: Access;
}

type Handlers = Endpoint<ConsoleContext>['handlers'];

const guarded = (one: Endpoint<ConsoleContext>, access: Access, guards: Handlers): GuardedEndpoint => ({
  ...one,
  access,
  handlers: (context) => [...guards(context), ...one.handlers(context)],
});

const open = (one: Endpoint<ConsoleContext>) => guarded(one, 'everybody', () => []);
const forSession = (one: Endpoint<ConsoleContext>) => guarded(one, 'signed-in', () => [signedIn]);
const reading = (one: Endpoint<ConsoleContext>) =>
  guarded(one, readers, ({ findScope }) => [ofAccount(findScope, readers, { changes: false })]);
const retrying = (one: Endpoint<ConsoleContext>) =>
  guarded(one, retriers, ({ findScope }) => [ofAccount(findScope, retriers, { changes: true })]);

/** Every endpoint of the console, with who may call it. */
export const endpoints: readonly GuardedEndpoint[] = [
  open(readSession),
  open(signIn),
  open(signOut),
  forSession(stepUp),
  open(readInvitation),
  open(choosePassword),
  open(acceptInvitation),
  reading(readOverview),
  reading(readUndelivered),
  retrying(countRetry),
  retrying(retryUndelivered),
  reading(listTasks),
  reading(readTask),
  reading(listDeliveries),
  retrying(retryDeliveries),
  reading(readDelivery),
];
