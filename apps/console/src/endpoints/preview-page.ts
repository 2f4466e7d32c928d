import { Refusal } from '@leadback/domain';
import { type PlainEndpoint, parseInput } from '@leadback/http';
import { renderPreview } from '@leadback/landing-page';
import { z } from 'zod';
import type { ConsoleContext } from '../context.ts';
import { pageDraft, previewFields } from '../contract/pages.ts';
import { readDraft } from '../pages/page-draft.ts';

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
