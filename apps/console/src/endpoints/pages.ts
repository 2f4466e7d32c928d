import { Refusal } from '@leadback/domain';
import { imageBody, imageBytes, type PlainEndpoint, parseInput } from '@leadback/server/http';
import { renderPreview } from '@leadback/core/pages/render/page';
import { z } from 'zod';
import type { ConsoleContext } from '../context.ts';
import {
  changePageInput,
  changePageReply,
  checkPageInput,
  checkPageReply,
  createPageInput,
  createPageReply,
  page,
  pageDraft,
  pagesInput,
  pagesReply,
  previewFields,
  readPageInput,
  storeImageReply,
  switchPageInput,
  switchPageReply,
} from '../contract/pages.ts';
import { readDraft } from '../pages/pages.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint, endpointWithParameters } from './guard.ts';

export const listPages = endpoint({
  method: 'get',
  path: '/accounts/:account/pages',
  input: pagesInput,
  replies: { 200: { body: pagesReply } },
  handle: async ({ response }, { pages }) => ({ status: 200, body: await pages.list(scopeOf(response)) }),
});

export const readPage = endpoint({
  method: 'get',
  path: '/accounts/:account/pages/:id',
  input: readPageInput,
  replies: { 200: { body: page } },
  handle: async ({ input, response }, { pages }) => ({
    status: 200,
    body: await pages.read(scopeOf(response), input.id),
  }),
});

export const checkPage = endpoint({
  method: 'post',
  path: '/accounts/:account/pages/check',
  input: checkPageInput,
  replies: { 200: { body: checkPageReply } },
  handle: async ({ input: { draft } }, { pages }) => ({ status: 200, body: { problems: pages.check(draft) } }),
});

export const createPage = endpoint({
  method: 'post',
  path: '/accounts/:account/pages',
  input: createPageInput,
  replies: { 200: { body: createPageReply } },
  async handle({ input, response }, { pages }) {
    const { email } = sessionOf(response).person;
    return { status: 200, body: await pages.create(scopeOf(response), email, input) };
  },
});

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

const fromJson = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('expected JSON');
    return z.NEVER;
  }
});

const formSchema = z.object({ [previewFields.draft]: fromJson.pipe(pageDraft) });

/** Renders a draft for a frame of the console. A form posts into the frame, and `sameOrigin` has read it. */
export const previewPage: PlainEndpoint<ConsoleContext> = {
  method: 'post',
  path: '/accounts/:account/pages/preview',
  input: formSchema,
  body: 'none',
  replies: { 200: { body: z.string() } },
  handlers: () => [
    (request, response) => {
      if (!request.is('application/x-www-form-urlencoded')) throw new Refusal('unsupported-media-type');
      const { content } = readDraft(parseInput(formSchema, request.body).draft);
      const { html, contentSecurityPolicy } = renderPreview(content);
      // for origins, and the sandbox has none
      response.removeHeader('Origin-Agent-Cluster');
      response
        .set({ 'Content-Security-Policy': contentSecurityPolicy, 'X-Frame-Options': 'SAMEORIGIN' })
        .type('html')
        .send(html);
    },
  ],
};
