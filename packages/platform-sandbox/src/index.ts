export { platformSandbox } from './platform-sandbox.ts';
export type { ReceivedEvent } from './received-events.ts';
export type { SandboxPlatform } from './sandbox-platform.ts';
export { sandboxPlatforms } from './sandbox-platforms.ts';
