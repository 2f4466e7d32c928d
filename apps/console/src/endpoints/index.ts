import { accountEndpoints } from './accounts.ts';
import { auditEndpoints } from './audit.ts';
import { connectionEndpoints } from './connections.ts';
import { deliveryEndpoints } from './deliveries.ts';
import { domainEndpoints } from './domains.ts';
import { erasureEndpoints } from './erasures.ts';
import { findEndpoints } from './find.ts';
import type { GuardedEndpoint } from './guard.ts';
import { importEndpoints } from './imports.ts';
import { keyEndpoints } from './keys.ts';
import { pageEndpoints } from './pages.ts';
import { peopleEndpoints } from './people.ts';
import { reconciliationEndpoints } from './reconciliations.ts';
import { resultEndpoints } from './results.ts';
import { securityEndpoints } from './security.ts';
import { sessionEndpoints } from './session.ts';
import { sourceEndpoints } from './sources.ts';
import { undeliveredEndpoints } from './undelivered.ts';
import { webhookEndpoints } from './webhooks.ts';

/** Every endpoint of the console. Each says itself who may call it. */
export const endpoints: readonly GuardedEndpoint[] = [
  ...sessionEndpoints,
  ...securityEndpoints,
  ...resultEndpoints,
  ...undeliveredEndpoints,
  ...deliveryEndpoints,
  ...connectionEndpoints,
  ...sourceEndpoints,
  ...keyEndpoints,
  ...peopleEndpoints,
  ...accountEndpoints,
  ...auditEndpoints,
  ...importEndpoints,
  ...reconciliationEndpoints,
  ...webhookEndpoints,
  ...pageEndpoints,
  ...domainEndpoints,
  ...findEndpoints,
  ...erasureEndpoints,
];
