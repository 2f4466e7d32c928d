import { endpoint, endpointWithParameters, nothing } from '@leadback/http';
import type { IssuedInvitation, ListedPerson } from '@leadback/people';
import type { Response } from 'express';
import type { ConsoleContext } from '../context.ts';
import {
  changeAccessInput,
  changedPersonReply,
  disablePersonInput,
  type InvitationReply,
  invitationReply,
  inviteAgainInput,
  invitePersonInput,
  listedPeopleMax,
  listPeopleInput,
  listPeopleReply,
  type Person,
  personPath,
  signOutPersonInput,
  signOutPersonReply,
} from '../contract/people.ts';
import { sessionOf } from '../sessions/authenticate.ts';

const subject = 'People';

const describe = ({ accounts, invitedUntil, seenAt, createdAt, ...person }: ListedPerson): Person => ({
  ...person,
  accounts: [...accounts],
  invitedUntil: invitedUntil?.toISOString() ?? null,
  seenAt: seenAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});

const actingOf = (response: Response) => {
  const { id: actorId, email: actor } = sessionOf(response).person;
  return { actor, actorId };
};

// behind #, so that no log of a server or proxy has the token
const linkTo = (consoleUrl: string, { id, email, token, expiresAt }: IssuedInvitation): InvitationReply => ({
  id,
  email,
  url: new URL(`/invitation#${token}`, consoleUrl).href,
  expiresAt: expiresAt.toISOString(),
});

export const listPeople = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/people',
  subject,
  summary: 'Who may use the console',
  description: 'With what they may see.',
  input: listPeopleInput,
  headers: nothing,
  replies: { 200: { description: 'The people.', body: listPeopleReply, example: undefined } },
  async handle({ input: { find } }, { management }) {
    const people = await management.listPeople({ find, limit: listedPeopleMax + 1 });
    const items = people.slice(0, listedPeopleMax).map(describe);
    return { status: 200, body: { items, isPartial: people.length > listedPeopleMax } };
  },
});

export const invitePerson = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/people',
  subject,
  summary: 'Invite somebody',
  description: 'The response shows the link once.',
  input: invitePersonInput,
  headers: nothing,
  replies: { 200: { description: 'The invitation.', body: invitationReply, example: undefined } },
  async handle({ input: { email, role, accounts }, response }, { management }) {
    const accountIds = [...new Set(accounts)];
    const invited = await management.inviteNewPerson({ email, role, accountIds, ...actingOf(response) });
    return { status: 200, body: linkTo(management.consoleUrl, invited) };
  },
});

export const inviteAgain = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/people/:id/invite',
  subject,
  summary: 'Replace the link of a person',
  description: 'Role and accounts stay. Nothing changes until the link is used; then it enables a disabled person.',
  input: inviteAgainInput,
  parameters: personPath,
  headers: nothing,
  replies: { 200: { description: 'The invitation.', body: invitationReply, example: undefined } },
  async handle({ parameters: { id }, response }, { management }) {
    const invited = await management.inviteAgain({ id, ...actingOf(response) });
    return { status: 200, body: linkTo(management.consoleUrl, invited) };
  },
});

export const changeAccess = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/people/:id/access',
  subject,
  summary: 'Change the role and the accounts of a person',
  description: 'At once. A new role ends the sessions of the person.',
  input: changeAccessInput,
  parameters: personPath,
  headers: nothing,
  replies: { 200: { description: 'Changed.', body: changedPersonReply, example: undefined } },
  async handle({ input: { role, accounts, signsOut }, parameters: { id }, response }, { management }) {
    const accountIds = [...new Set(accounts)];
    await management.changePerson({ id, role, accountIds, signsOut, ...actingOf(response) });
    return { status: 200, body: { id } };
  },
});

export const disablePerson = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/people/:id/disable',
  subject,
  summary: 'Disable a person',
  description: 'Ends the sessions of the person, who can sign in again only after another invitation.',
  input: disablePersonInput,
  parameters: personPath,
  headers: nothing,
  replies: { 200: { description: 'Disabled.', body: changedPersonReply, example: undefined } },
  async handle({ parameters: { id }, response }, { management }) {
    await management.disablePerson({ id, ...actingOf(response) });
    return { status: 200, body: { id } };
  },
});

export const signOutPerson = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/people/:id/sign-out',
  subject,
  summary: 'Sign a person out everywhere',
  description: 'Ends all sessions of the person, who may sign in again.',
  input: signOutPersonInput,
  parameters: personPath,
  headers: nothing,
  replies: { 200: { description: 'How many sessions ended.', body: signOutPersonReply, example: undefined } },
  async handle({ parameters: { id }, response }, { management }) {
    const { ended } = await management.signOutPerson({ id, ...actingOf(response) });
    return { status: 200, body: { id, ended } };
  },
});
