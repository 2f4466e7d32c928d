import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { LandingContext } from './context.ts';
import { redirect } from './redirect-to-target.ts';
import { sendPage } from './send-page.ts';
import { formState } from './visits/form-state.ts';
import { readForm } from './visits/visit-form.ts';

type Preview = (context: Pick<LandingContext, 'findPreview'>) => RequestHandler<{ code: string }>;

/** `GET /preview/{code}`: the page as visitors see it, for an operator with the preview URL. Records nothing. */
export const showPreview: Preview =
  ({ findPreview }) =>
  async (request, response, next) => {
    const built = await findPreview(request.params.code);
    if (!built) return next();
    if (built.page.mode === 'direct') return redirect(response, 302, built.targetUrl());
    sendPage(
      request,
      response,
      built,
      built.showAgain({ token: randomUUID(), signature: '', referrer: '', isPreview: true }),
    );
  };

/** `POST /preview/{code}`: validates and redirects like `POST /{slug}`, but records no lead. */
export const submitPreview: Preview =
  ({ findPreview }) =>
  async (request, response, next) => {
    const built = await findPreview(request.params.code);
    if (!built) return next();
    const form = readForm(built.page, request.body, () => true);
    if (form.problems.length === 0) return redirect(response, 303, built.targetUrl());
    response.status(422);
    sendPage(request, response, built, built.showAgain({ ...formState(built, form), signature: '', isPreview: true }));
  };
