import { type Role, roles } from '@leadback/domain';

/** Who may look into an account. */
export const readers: readonly Role[] = roles;

/** Who may send deliveries again. */
export const retriers: readonly Role[] = ['admin', 'operator', 'marketer', 'partner-admin'];
