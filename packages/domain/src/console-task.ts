/**
 * Work that goes on without a browser. `retry`: undelivered deliveries are sent again. `erase`: the personal data of a
 * person is erased.
 */
export const consoleTaskKinds = ['retry', 'erase'] as const;

export const consoleTaskStates = ['running', 'done', 'failed'] as const;
export type ConsoleTaskState = (typeof consoleTaskStates)[number];
