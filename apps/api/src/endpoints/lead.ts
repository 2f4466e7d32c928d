import { referenceCookie } from '@leadback/core/leads/reference-cookie';
import { leadSchema } from '@leadback/core/leads/register';
import { endpoint } from '@leadback/server/http';
import { traceParentOf } from '@leadback/server/trace';
import { z } from 'zod';
import { callerOf, modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { testTexts, warnings } from './client.ts';
import { idempotencyHeaders, idempotencyRefusals } from './parameters.ts';

const registered = z.object({
  id: z.int().meta({ description: 'The id of the lead.' }),
  leadReference: z
    .string()
    .meta({ description: 'Send it with the client or the sale, as you send the value of `serviceId`.' }),
  setCookie: z.string().meta({
    description:
      "The value of the header `Set-Cookie` for your response to the visitor. The cookie `leadback` keeps the reference on your domain as long as the click counts, 90 days. You may send the cookie's value as `leadReference`.",
  }),
  warnings,
});

const nothingToKeep = z.object({
  leadReference: z.null().meta({ description: 'No lead was recorded.' }),
  warnings,
});

const example = {
  id: 12,
  leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs',
  setCookie:
    'leadback=Zk3vT9qLm2XcB7nRw5YdHs.1795251000; Max-Age=7776000; Domain=shop.example; Path=/; Secure; SameSite=Lax',
};

export const registerLead = endpoint<ApiContext>()({
  method: 'post',
  path: '/lead',
  subject: 'Leads',
  summary: 'Register a lead',
  description:
    'Registers a click that arrives at your own page, from your server, without a page of Leadback. Call it for each page view whose URL has a click id or a `utm_…` parameter, and set the cookie of the response. A URL without them makes no lead. The same click id from the same visitor, such as a reload, is the same lead. A test key makes leads for test clients alone, which count in no metrics.',
  input: leadSchema,
  examples: {
    'All fields': {
      url: 'https://www.shop.example/mates?utm_campaign=spring&gclid=Cj0KCQiA7NO7BhDsARIsADg_hIZ0',
      referrer: 'https://www.google.com/',
      ip: '203.0.113.7',
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
      cookies: { _fbp: 'fb.1.1700000000000.1234567890' },
      consent: { adUserData: 'granted', adPersonalization: 'denied' },
      globalPrivacyControl: false,
    },
    'Required fields only': { url: 'https://www.shop.example/?utm_campaign=spring' },
  },
  headers: idempotencyHeaders,
  replies: {
    200: {
      description:
        'The lead that was recorded before for this click and visitor; or `{"leadReference": null}`: no lead.',
      body: z.union([registered, nothingToKeep]),
      example: { leadReference: null },
    },
    201: { description: 'A new lead.', body: registered, example },
  },
  refusals: idempotencyRefusals,
  async handle({ input, headers, response }, { registerLead: register, accepted, events }) {
    const mode = modeOf(response);
    const {
      lead,
      warnings: told,
      advice,
      isRepeated,
    } = await register({
      mode,
      input,
      actor: callerOf(response).actor,
      idempotencyKey: headers['idempotency-key'],
      traceParent: traceParentOf(response.req.span),
    });
    const texts = testTexts(told, advice);
    if (lead === null) {
      const body = { leadReference: null, ...(mode.isTest && texts.length > 0 && { warnings: texts }) };
      return { status: 200, body, warnings: told };
    }
    const { id, reference, outcome } = lead;
    if (outcome === 'created') accepted.note('lead', mode, id);
    if (!isRepeated) events.leadRegistered(outcome, mode);
    const body = {
      id,
      leadReference: reference,
      setCookie: referenceCookie({ ...lead, url: input.url }, Date.now()),
      ...(mode.isTest && { warnings: texts }),
    };
    return { status: outcome === 'created' ? 201 : 200, body, warnings: told };
  },
});
