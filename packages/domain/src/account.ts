export type AccountId = number;

/** Live and test: two modes of one account, of which neither sees anything of the other. */
export interface AccountMode {
  readonly accountId: AccountId;
  readonly isTest: boolean;
}

export const accountStatuses = ['active', 'suspended'] as const;
export type AccountStatus = (typeof accountStatuses)[number];
