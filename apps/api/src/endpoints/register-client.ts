import { emailAddressSchema, optionalText, requiredText } from '@leadback/domain';
import { endpoint } from '@leadback/http';
import { z } from 'zod';
import { callerOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';

const clientInput = z.object(
  {
    leadReference: requiredText(64),
    name: optionalText(200),
    email: emailAddressSchema,
    phoneNumber: optionalText(40),
    externalReference: optionalText(255),
  },
  { error: 'expected a JSON object' },
);

export const registerClient = endpoint<ApiContext, typeof clientInput>({
  method: 'post',
  path: '/client',
  input: clientInput,
  async handle({ input, response }, { registerClient: register, events }) {
    const { id, outcome } = await register(callerOf(response).accountId, input);
    events.clientRegistered(outcome);
    return { status: outcome === 'created' ? 201 : 200, body: { id } };
  },
});
