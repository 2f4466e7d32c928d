import { emailAddressSchema, optionalText } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { callerOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { exampleErasureId } from './erasure-id.ts';

const input = z
  .object(
    {
      erasureId: optionalText(22).meta({ description: 'The id of the erasure that the refusal `suppressed` names.' }),
      email: emailAddressSchema.meta({ description: 'The email with which the person was erased.' }),
      phoneNumber: optionalText(40).meta({ description: 'The phone number with which the person was erased.' }),
    },
    { error: 'expected a JSON object' },
  )
  .refine((names) => Object.values(names).filter((name) => name !== undefined).length === 1, {
    path: ['erasureId'],
    message: 'expected exactly one of erasureId, email and phoneNumber',
  });

export const allowClient = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/allow',
  subject: 'Clients',
  summary: 'Allow an erased person again',
  description:
    'Lets your account register a person again who was erased, and whom it suppresses since (`suppressed`): by email and phone number. Nothing that was erased comes back. Name the person by exactly one field. Again, it changes nothing.',
  input,
  examples: {
    'By the erasure': { erasureId: exampleErasureId },
    'By email': { email: 'ana@example.com' },
    'By phone number': { phoneNumber: '+54 9 11 2345-6789' },
  },
  headers: nothing,
  replies: {
    200: {
      description: 'The person can be registered.',
      body: z.object({
        erasureIds: z.array(z.string()).meta({
          description: 'The erasures whose person was suppressed until now; empty: none.',
        }),
      }),
      example: { erasureIds: [exampleErasureId] },
    },
  },
  async handle({ input: person, response }, { allowPerson }) {
    const { accountId, isTest, actor } = callerOf(response);
    // tests never see live data
    const erasureIds = isTest ? [] : await allowPerson({ accountId, actor, ...person });
    return { status: 200, body: { erasureIds } };
  },
});
