export { platformSandbox } from './platform-sandbox.ts';
export type { ReceivedEvent } from './received-events.ts';
