import { amountSchema, currencySchema, emailAddressSchema, optionalText } from '@leadback/domain';
import { endpoint } from '@leadback/http';
import { z } from 'zod';
import { callerOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';

const conversionInput = z
  .object(
    {
      amount: amountSchema,
      currency: currencySchema,
      email: emailAddressSchema,
      clientExternalReference: optionalText(255),
      conversionExternalReference: optionalText(255),
    },
    { error: 'expected a JSON object' },
  )
  .refine(({ email, clientExternalReference }) => email !== undefined || clientExternalReference !== undefined, {
    path: ['email'],
    message: 'email or clientExternalReference is needed to find the client',
    // said together with what is wrong elsewhere, but not where one of the two was sent and is itself wrong
    when: ({ issues }) => issues.every(({ path: [field] = [] }) => field === 'amount' || field === 'currency'),
  });

export const registerConversion = endpoint<ApiContext, typeof conversionInput>({
  method: 'post',
  path: '/client/conversion',
  input: conversionInput,
  async handle({ input, response }, { registerConversion: register, publisher, events }) {
    const { accountId, isTest } = callerOf(response);
    const { id, leadId, feedback } = await register(accountId, { ...input, isTest });
    events.conversionRegistered({ id, currency: input.currency, feedback: feedback.length });
    // not waited for: the conversion is on disk, and what the broker does not take the relay finds
    void publisher.publish(feedback).then((confirmed) => {
      events.feedbackPublished('request', { confirmed: confirmed.length, of: feedback.length });
    });
    return { status: 201, body: { id, leadId } };
  },
});
