import { type Role, roles } from '@leadback/domain';
import { type Capability, capabilities } from '../contract/capability.ts';

const marketing: readonly Role[] = ['admin', 'operator', 'marketer', 'partner-admin'];
// without marketers: what can leak personal data or money
const technical: readonly Role[] = ['admin', 'operator', 'partner-admin'];

/** Who may do what. Only the roles that see all accounts have what is not within one. */
const rolesOf: Readonly<Record<Capability, readonly Role[]>> = {
  read: roles,
  'see-personal-data': technical,
  retry: marketing,
  'edit-pages': marketing,
  'manage-connections': technical,
  'manage-webhooks': technical,
  'manage-keys': technical,
  'import-sales': technical,
  erase: technical,
  'read-audit': technical,
  'manage-people': ['admin'],
  'manage-accounts': ['admin', 'operator'],
};

export const mayDo = (role: Role, capability: Capability): boolean => rolesOf[capability].includes(role);

export const capabilitiesOf = (role: Role): Capability[] => capabilities.filter((one) => mayDo(role, one));
