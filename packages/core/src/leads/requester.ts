import { createIsbotFromList, list } from 'isbot';

// A headless browser counts as a browser: advertisers check their campaigns with it.
// Office opens links before its reader does; the list does not know it.
const office = ['microsoft outlook', 'officelink', 'ms-office', 'skypeuripreview'];

/** Whether a `User-Agent` is of a crawler, a link preview or a command-line client. Takes some microseconds. */
export const isBotAgent = createIsbotFromList([...list.filter((pattern) => pattern !== 'headless'), ...office]);
