import { endpoint, endpointWithParameters, imageBody, imageBytes, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import {
  changePageInput,
  changePageReply,
  readPageInput,
  storeImageReply,
  switchPageInput,
  switchPageReply,
} from '../contract/pages.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';

const subject = 'Pages';

export const changePage = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/pages/:id',
  subject,
  summary: 'Save the content of a page',
  description: 'Unless somebody has changed it since it was read: then the reply has it as it is now.',
  input: changePageInput,
  parameters: readPageInput,
  headers: nothing,
  replies: { 200: { description: 'The page, or why not.', body: changePageReply, example: undefined } },
  async handle({ input: { draft, version }, parameters: { id }, response }, { pages }) {
    const { email } = sessionOf(response).person;
    return { status: 200, body: await pages.change(scopeOf(response), email, { id, draft, version }) };
  },
});

export const switchPage = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/pages/:id/switch',
  subject,
  summary: 'Show or hide a page',
  description: 'Within seconds everywhere. Its leads stay.',
  input: switchPageInput,
  parameters: readPageInput,
  headers: nothing,
  replies: { 200: { description: 'Whether it is on.', body: switchPageReply, example: undefined } },
  async handle({ input: { isOn }, parameters: { id }, response }, { pages }) {
    const { email } = sessionOf(response).person;
    return { status: 200, body: await pages.switch(scopeOf(response), email, { id, isOn }) };
  },
});

export const uploadPageImage = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/pages/images',
  subject,
  summary: 'Upload an image',
  description: 'PNG, JPEG, GIF, WebP or AVIF, of at most 512 KiB. A page shows it once it is saved with it.',
  input: imageBytes,
  body: imageBody,
  headers: nothing,
  replies: { 200: { description: 'The image.', body: storeImageReply, example: undefined } },
  async handle({ input: bytes, response }, { pages, limitUploads }) {
    const { email, id } = sessionOf(response).person;
    limitUploads(response, `person ${id}`);
    return { status: 200, body: await pages.uploadImage(scopeOf(response), email, bytes) };
  },
});
