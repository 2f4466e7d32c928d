export {
  findLead,
  givenAdjustment,
  givenErased,
  givenClient,
  givenConversion,
  givenLandingPage,
  givenLead,
  bufferedLead,
} from './given-conversion.ts';
export { eventually, openPatientPool, openPatiently, png, shared, unique } from './saved.ts';
export { testMaxMs, waitMaxMs } from './wait-max-ms.ts';
export { everyRow } from './every-row.ts';
export { type GivenCell, givenWorkbook, zipOf } from './given-workbook.ts';
export { givenAccount, givenApiKey, givenConnection, givenWebhook, keysOfAccount } from './given-account.ts';
export {
  ctlOfVirtualHost,
  givenBroker,
  givenVirtualHost,
  givenServer,
  givenSockets,
  type TestServer,
  answerToBytes,
  rawAnswer,
  type NextVirtualHost,
  virtualHostsInAdvance,
} from './given-servers.ts';
export { givenNameServer, type TestNameServer } from './name-server.ts';
export { givenDatabase, openTestDatabase, type TestDatabase } from './given-database.ts';
export { givenFailingRows } from './given-failing-rows.ts';
export {
  givenDelivery,
  givenManyDeliveries,
  givenParcel,
  givenPlatformRequest,
  ofConversion,
} from './given-delivery.ts';
export { hiddenFieldsIn } from './stack/index.ts';
export { hostileStrings } from './hostile-strings.ts';
export { givenContacts, secretsKey, secretsKeys } from './contexts.ts';
export { type TcpProxy, tcpProxy } from './tcp-proxy.ts';
export { smugglingCorpus } from './smuggling-corpus.ts';
