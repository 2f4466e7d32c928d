export { findAccount } from './find-account.ts';
