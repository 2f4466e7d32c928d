export { platformSandbox } from './platform-sandbox.ts';
export type { ReceivedEvent } from './events.ts';
export type { SandboxPlatform } from './sandbox.ts';
export { sandboxPlatforms } from './sandbox-platforms.ts';
