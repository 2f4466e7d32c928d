import { createStore } from './store.ts';

/** Whether the server refused a request because the session has ended. */
export const sessionEnded = createStore(false);
