import type { RequestHandler } from 'express';
import type { LandingContext } from './context.ts';
import { filledIn } from './go-on.ts';
import { sendPage } from './send-page.ts';
import { readForm } from './visits/visit-form.ts';

/**
 * `/preview/{code}`: the page as its visitors see it, for the operator who was given the address. It works like the page
 * itself, but no lead is made and nothing is kept.
 */
export const showPreview =
  ({ findPreview }: Pick<LandingContext, 'findPreview'>): RequestHandler<{ code: string }> =>
  async (request, response, next) => {
    const built = await findPreview(request.params.code);
    if (!built) return next();
    const { page } = built;
    const isFilledIn = request.method === 'POST';
    const form = readForm(page, isFilledIn ? request.body : {});
    const hasProblems = isFilledIn && form.problems.length > 0;
    if (page.mode === 'direct' || (isFilledIn && !hasProblems)) return response.redirect(303, page.targetUrl);
    response.status(hasProblems ? 422 : 200);
    sendPage(response, built, filledIn(built, hasProblems ? form : { ...form, problems: [] }, true));
  };
