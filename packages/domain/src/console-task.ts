/** Work that goes on without a browser. `retry`: undelivered deliveries are sent again. */
export const consoleTaskKinds = ['retry'] as const;

export const consoleTaskStates = ['running', 'done', 'failed'] as const;
export type ConsoleTaskState = (typeof consoleTaskStates)[number];
