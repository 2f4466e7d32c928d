export { givenBroker } from './given-broker.ts';
export { givenDatabase, type TestDatabase } from './given-database.ts';
export {
  givenAccount,
  givenApiKey,
  givenClient,
  givenConnection,
  givenConversion,
  givenLandingPage,
  givenLead,
} from './given-rows.ts';
export { givenServer, type TestServer } from './given-server.ts';
export { secretsKey } from './secrets-key.ts';
export { unique } from './unique.ts';
