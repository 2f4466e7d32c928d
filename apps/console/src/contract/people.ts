import { emailAddressSchema, seesAllAccounts } from '@leadback/domain';
import { z } from 'zod';
import { roleSchema } from './session.ts';

export const listedPeopleMax = 500;

export const person = z.object({
  id: z.number(),
  email: z.string(),
  role: roleSchema,
  /** `invited`: has no password yet. `disabled`: cannot sign in. */
  state: z.enum(['invited', 'active', 'disabled']),
  /** Empty for roles that see all accounts. */
  accounts: z.array(z.object({ id: z.number(), name: z.string() })),
  hasSecondFactor: z.boolean(),
  /** When the link that was not used yet expires; null: there is none. */
  invitedUntil: z.string().nullable(),
  /** To the minute; null: never signed in. */
  seenAt: z.string().nullable(),
  createdAt: z.string(),
});

/** `GET /api/people`: by email, the first 500. */
export const listPeopleInput = z.object({
  /** A part of the email. */
  find: z.string().max(320).optional(),
});
export const listPeopleReply = z.object({ items: z.array(person), isPartial: z.boolean() });

const access = z.object({ role: roleSchema, accounts: z.array(z.number().int().min(1)).max(500) });
const fits = ({ role, accounts }: z.output<typeof access>) => seesAllAccounts(role) === (accounts.length === 0);
const unfit = { path: ['accounts'], error: 'admins and operators see all accounts; the other roles need one or more' };

/** `POST /api/people` */
export const invitePersonInput = access
  .extend({ email: emailAddressSchema.pipe(z.string('expected an email address')) })
  .refine(fits, unfit);

/** A link that works once. Also of `POST /api/people/:id/invite`, which replaces it; used, it enables a disabled person. */
export const invitationReply = z.object({ id: z.number(), email: z.string(), url: z.string(), expiresAt: z.string() });

/** `POST /api/people/:id/access`: a new role ends the sessions of the person. */
export const changeAccessInput = access
  .extend({
    /** Ends them in any case. */
    signsOut: z.boolean().optional(),
  })
  .refine(fits, unfit);
/** `POST /api/people/:id/disable`: ends the sessions of the person, and forgets password, second factor and passkeys. */
export const changedPersonReply = z.object({ id: z.number() });
/** `POST /api/people/:id/sign-out`: ends the sessions of the person, also of who asks. */
export const signOutPersonReply = z.object({ id: z.number(), ended: z.number() });

export type Person = z.output<typeof person>;
export type ListPeopleReply = z.output<typeof listPeopleReply>;
export type InvitePersonInput = z.input<typeof invitePersonInput>;
export type ChangeAccessInput = z.input<typeof changeAccessInput>;
export type SignOutPersonReply = z.output<typeof signOutPersonReply>;
export type InvitationReply = z.output<typeof invitationReply>;
