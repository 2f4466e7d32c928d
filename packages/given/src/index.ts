export { givenAccount, givenApiKey } from './given-account.ts';
export { givenBroker } from './given-broker.ts';
export { givenConnection } from './given-connection.ts';
export { givenClient, givenConversion, givenLandingPage, givenLead } from './given-conversion.ts';
export { givenDatabase, type TestDatabase } from './given-database.ts';
export { givenServer, type TestServer } from './given-server.ts';
export { secretsKey } from './secrets-key.ts';
export { tcpProxy } from './tcp-proxy.ts';
export { unique } from './unique.ts';
