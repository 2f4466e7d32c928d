export type AccountId = number;

/** Live and test data of an account are isolated from each other. */
export interface AccountMode {
  readonly accountId: AccountId;
  readonly isTest: boolean;
}

export const accountStatuses = ['active', 'suspended'] as const;
export type AccountStatus = (typeof accountStatuses)[number];
