/**
 * Work that goes on without a browser. `retry`: undelivered deliveries are sent again. `erase`: of consoles
 * of the version before, which erased persons themselves.
 */
export const consoleTaskKinds = ['retry', 'erase'] as const;

export const consoleTaskStates = ['running', 'done', 'failed'] as const;
export type ConsoleTaskState = (typeof consoleTaskStates)[number];
