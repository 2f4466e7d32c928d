/** `admin` and `operator` see all accounts, the others only those that they were invited to. */
export const roles = ['admin', 'operator', 'marketer', 'partner-admin', 'partner-viewer'] as const;
export type Role = (typeof roles)[number];

/** Whether people of this role see all accounts. */
export const seesAllAccounts = (role: Role): boolean => role === 'admin' || role === 'operator';
