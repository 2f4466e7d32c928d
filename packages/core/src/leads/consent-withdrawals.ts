import { preparedStatement, type Queryable } from '@leadback/db';

const withdraw = preparedStatement<{ is_recorded: boolean }>(
  'withdraw-consent',
  'select withdraw_consent($1) as is_recorded',
);

/**
 * Withdraws the consent that a visitor gave with a lead: platforms are told nothing more of it. The wish of a lead that is
 * buffered is kept until it is recorded. Needs no transaction: each statement must be committed when it ends.
 */
export const withdrawConsent = async (on: Queryable, reference: string): Promise<void> => {
  const [first] = await withdraw(on, [reference]);
  // The wish is committed now. A lead that was recorded meanwhile may not have seen it: this sees the lead. One that is
  // recorded later sees the wish.
  if (!first?.is_recorded) await withdraw(on, [reference]);
};

const apply = preparedStatement('apply-consent-withdrawals', 'select apply_consent_withdrawals($1)');

/**
 * Withdraws the consent of leads whose visitors have asked for it before they were recorded. Call it after the commit that
 * recorded them: a wish that is not committed by then sees the leads itself.
 */
export const applyConsentWithdrawals = async (on: Queryable, references: readonly string[]): Promise<void> => {
  await apply(on, [references]);
};
