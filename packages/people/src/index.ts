export {
  acceptInvitation,
  choosePassword,
  readInvitation,
  type IssuedInvitation,
  inviteAgain,
  inviteNewPerson,
  invitePerson,
} from './invitations.ts';
export { type AccountScope, accountScope, type VisibleAccount, visibleAccounts } from './access.ts';
export { ActionRefused, type RefusedBecause } from './action-refused.ts';
export { audit, auditOn, auditView, type AuditPage, listAudit } from './audit.ts';
export {
  type ChallengeFor,
  challengeMs,
  deleteExpiredChallenges,
  newChallenge,
  takeChallenge,
  reEncryptSecondFactors,
  secondFactorKeys,
  signIn,
  signInByCode,
  stepUp,
  signInByProvider,
  type Vouched,
} from './sign-in.ts';
export { changePassword } from './passwords.ts';
export { changePerson, differences, disablePerson, type ListedPerson, listPeople, signOutPerson } from './people.ts';
export {
  addPasskey,
  hasPasskey,
  listPasskeys,
  type PasskeyFacts,
  removePasskey,
  renamePasskey,
  signInByPasskey,
  stepUpByPasskey,
  type UsedPasskey,
} from './passkeys.ts';
export {
  endOtherSessions,
  endSessionOf,
  listSessions,
  deleteEndedSessions,
  endGuessingSession,
  endSession,
  findSessions,
  noteSeen,
  type Session,
  steppedUpMs,
} from './sessions.ts';
export { auditRefused, confirmGuessedCodes, noteRefused } from './refused.ts';
export { personEmail } from './person-email.ts';
