import type { IssuedInvitation } from '@leadback/core/people/invitations';
import type { ListedPerson } from '@leadback/core/people/people';
import type { Response } from 'express';
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
import { endpoint, endpointWithParameters } from './guard.ts';

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

export const listPeople = endpoint({
  method: 'get',
  path: '/people',
  input: listPeopleInput,
  replies: { 200: { body: listPeopleReply } },
  async handle({ input: { find } }, { management }) {
    const people = await management.listPeople({ find, limit: listedPeopleMax + 1 });
    const items = people.slice(0, listedPeopleMax).map(describe);
    return { status: 200, body: { items, isPartial: people.length > listedPeopleMax } };
  },
});

export const invitePerson = endpoint({
  method: 'post',
  path: '/people',
  input: invitePersonInput,
  replies: { 200: { body: invitationReply } },
  async handle({ input: { email, role, accounts }, response }, { management }) {
    const accountIds = [...new Set(accounts)];
    const invited = await management.inviteNewPerson({ email, role, accountIds, ...actingOf(response) });
    return { status: 200, body: linkTo(management.consoleUrl, invited) };
  },
});

export const inviteAgain = endpointWithParameters({
  method: 'post',
  path: '/people/:id/invite',
  input: inviteAgainInput,
  parameters: personPath,
  replies: { 200: { body: invitationReply } },
  async handle({ parameters: { id }, response }, { management }) {
    const invited = await management.inviteAgain({ id, ...actingOf(response) });
    return { status: 200, body: linkTo(management.consoleUrl, invited) };
  },
});

export const changeAccess = endpointWithParameters({
  method: 'post',
  path: '/people/:id/access',
  input: changeAccessInput,
  parameters: personPath,
  replies: { 200: { body: changedPersonReply } },
  async handle({ input: { role, accounts, signsOut }, parameters: { id }, response }, { management }) {
    const accountIds = [...new Set(accounts)];
    await management.changePerson({ id, role, accountIds, signsOut, ...actingOf(response) });
    return { status: 200, body: { id } };
  },
});

export const disablePerson = endpointWithParameters({
  method: 'post',
  path: '/people/:id/disable',
  input: disablePersonInput,
  parameters: personPath,
  replies: { 200: { body: changedPersonReply } },
  async handle({ parameters: { id }, response }, { management }) {
    await management.disablePerson({ id, ...actingOf(response) });
    return { status: 200, body: { id } };
  },
});

export const signOutPerson = endpointWithParameters({
  method: 'post',
  path: '/people/:id/sign-out',
  input: signOutPersonInput,
  parameters: personPath,
  replies: { 200: { body: signOutPersonReply } },
  async handle({ parameters: { id }, response }, { management }) {
    const { ended } = await management.signOutPerson({ id, ...actingOf(response) });
    return { status: 200, body: { id, ended } };
  },
});
