import { checkDownloadInput, checkDownloadReply } from '../contract/imports.ts';
import { endpoint } from './guard.ts';

/** A browser that follows a link to a file cannot ask for the second factor: the page asks here first. */
export const checkDownload = endpoint({
  method: 'post',
  path: '/accounts/:account/files/check',
  input: checkDownloadInput,
  replies: { 200: { body: checkDownloadReply } },
  handle: async () => ({ status: 200, body: {} }),
});
