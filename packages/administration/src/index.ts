export {
  changeAccount,
  createAccount,
  checkForgettable,
  forgetAccount,
  listAccounts,
  setAccountStatus,
  findAccount,
} from './accounts.ts';
export {
  createImport,
  type ImportToCreate,
  createReconciliation,
  registerTrial,
  replayReconciliation,
} from './files.ts';
export {
  changeConnection,
  type ConnectionTools,
  createConnection,
  decryptConnection,
  type FieldWords,
  findConnection,
  readConnectionContent,
  pauseConnection,
  resumeConnection,
} from './connections/connections.ts';
export { checkConnection, checkTypedConnection, rejectedCheck } from './connections/check-connection.ts';
export { issueKey, listKeys, revokeKey } from './keys.ts';
export {
  changePage,
  createPage,
  findPage,
  contentOf,
  contentVersion,
  pageUrl,
  previewUrls,
  renamePage,
  switchPage,
  targetProblem,
} from './pages/pages.ts';
export { imageBytesMax, storeImage, uploadImage } from './pages/images.ts';
