import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import { checkDownloadInput, checkDownloadReply } from '../contract/imports.ts';

/** A browser that follows a link to a file cannot ask for the second factor: the page asks here first. */
export const checkDownload = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/files/check',
  subject: 'Files',
  summary: 'Check the second factor before a download',
  description: 'Changes nothing.',
  input: checkDownloadInput,
  headers: nothing,
  replies: { 200: { description: 'The files may be downloaded.', body: checkDownloadReply, example: undefined } },
  handle: async () => ({ status: 200, body: {} }),
});
