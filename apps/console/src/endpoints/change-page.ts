import { imageBody, imageBytes } from '@leadback/http';
import {
  changePageInput,
  changePageReply,
  readPageInput,
  storeImageReply,
  switchPageInput,
  switchPageReply,
} from '../contract/pages.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint, endpointWithParameters } from './guard.ts';

export const changePage = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/pages/:id',
  input: changePageInput,
  parameters: readPageInput,
  replies: { 200: { body: changePageReply } },
  async handle({ input: { draft, version }, parameters: { id }, response }, { pages }) {
    const { email } = sessionOf(response).person;
    return { status: 200, body: await pages.change(scopeOf(response), email, { id, draft, version }) };
  },
});

export const switchPage = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/pages/:id/switch',
  input: switchPageInput,
  parameters: readPageInput,
  replies: { 200: { body: switchPageReply } },
  async handle({ input: { isOn }, parameters: { id }, response }, { pages }) {
    const { email } = sessionOf(response).person;
    return { status: 200, body: await pages.switch(scopeOf(response), email, { id, isOn }) };
  },
});

export const uploadPageImage = endpoint({
  method: 'post',
  path: '/accounts/:account/pages/images',
  input: imageBytes,
  body: imageBody,
  replies: { 200: { body: storeImageReply } },
  async handle({ input: bytes, response }, { pages, limitUploads }) {
    const { email, id } = sessionOf(response).person;
    limitUploads(response, `person ${id}`);
    return { status: 200, body: await pages.uploadImage(scopeOf(response), email, bytes) };
  },
});
