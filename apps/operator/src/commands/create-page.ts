import { askedFields, LandingPage, landingPageModes } from '@leadback/db';
import { landingTargetSchema, optionalText, slugSchema } from '@leadback/domain';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '../find-account.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

const longText = z
  .string()
  .max(5_000, 'longer than 5000 characters')
  .transform((text) => text.trim() || null)
  .nullable()
  .default(null);

const shortText = optionalText(200).transform((text) => text ?? null);

export const createPage = command({
  name: 'page create',
  summary: 'set up a landing page',
  options: [
    ['--account <id>', 'whose page it is'],
    ['--slug <slug>', 'its address: letters, digits and dashes'],
    ['--target <url>', "the advertiser's own page, where visitors are sent on to"],
    ['--mode <mode>', 'page: visitors see it and go on; direct: they are sent on at once. Default page'],
    ['--title <text>', 'the heading'],
    ['--text <text>', 'paragraphs, with a blank line between them'],
    ['--button <text>', 'the label of the button'],
    ['--ask <fields>', `what visitors are asked for, separated by commas: ${askedFields.join(',')}`],
    ['--consent <text>', 'what visitors are asked to agree to'],
  ],
  input: z.object({
    account: idSchema,
    slug: slugSchema,
    target: landingTargetSchema,
    mode: z.enum(landingPageModes).default('page'),
    title: shortText,
    text: longText,
    button: shortText,
    ask: z
      .string()
      .transform((fields) => [...new Set(fields.split(',').map((field) => field.trim()))])
      .pipe(z.array(z.enum(askedFields)))
      .default([]),
    consent: longText,
  }),
  async run({ account, slug, target, mode, title, text, button, ask, consent }, { em, landingUrl }) {
    const page = em.create(LandingPage, {
      account: await findAccount(em, account),
      slug,
      targetUrl: target,
      mode,
      title,
      text,
      buttonLabel: button,
      askedFields: ask,
      consentText: consent,
    });
    try {
      await em.flush();
    } catch (error) {
      throw error instanceof UniqueConstraintViolationException ? new OperatorError(`slug: ${slug} is taken`) : error;
    }
    return { id: page.id, slug, url: new URL(slug, `${landingUrl.replace(/\/$/, '')}/`).href };
  },
});
