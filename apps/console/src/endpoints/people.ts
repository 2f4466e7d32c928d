import { type IssuedInvitation, inviteAgain, inviteNewPerson } from '@leadback/core/people/invitations';
import {
  changePerson,
  disablePerson,
  type ListedPerson,
  listPeople,
  signOutPerson,
} from '@leadback/core/people/people';
import type { Session } from '@leadback/core/people/sessions';
import {
  changeAccessInput,
  changedPersonReply,
  type InvitationReply,
  invitationReply,
  invitePersonInput,
  listedPeopleMax,
  listPeopleInput,
  listPeopleReply,
  type Person,
  signOutPersonReply,
} from '../contract/people.ts';
import { acrossAccounts, ofId } from './guard.ts';

const describe = ({ accounts, invitedUntil, seenAt, createdAt, ...person }: ListedPerson): Person => ({
  ...person,
  accounts: [...accounts],
  invitedUntil: invitedUntil?.toISOString() ?? null,
  seenAt: seenAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});

const actingOf = ({ person: { id: actorId, email: actor } }: Session) => ({ actor, actorId });

// behind #, so that no log of a server or proxy has the token
const linkTo = (consoleUrl: string, { id, email, token, expiresAt }: IssuedInvitation): InvitationReply => ({
  id,
  email,
  url: new URL(`/invitation#${token}`, consoleUrl).href,
  expiresAt: expiresAt.toISOString(),
});

export const peopleEndpoints = [
  acrossAccounts('manage-people', 'reads', {
    method: 'get',
    path: '/people',
    input: listPeopleInput,
    reply: listPeopleReply,
    async handle({ input: { find } }, { em }) {
      const people = await listPeople(em(), { find, limit: listedPeopleMax + 1 });
      const items = people.slice(0, listedPeopleMax).map(describe);
      return { items, isPartial: people.length > listedPeopleMax };
    },
  }),

  acrossAccounts('manage-people', 'fresh', {
    method: 'post',
    path: '/people',
    input: invitePersonInput,
    reply: invitationReply,
    async handle({ input: { email, role, accounts }, session }, { em, consoleUrl }) {
      const accountIds = [...new Set(accounts)];
      return linkTo(consoleUrl, await inviteNewPerson(em(), { email, role, accountIds, ...actingOf(session) }));
    },
  }),

  acrossAccounts('manage-people', 'fresh', {
    method: 'post',
    path: '/people/:id/invite',
    input: ofId,
    reply: invitationReply,
    handle: async ({ input: { id }, actor }, { em, consoleUrl }) =>
      linkTo(consoleUrl, await inviteAgain(em(), { id, actor })),
  }),

  acrossAccounts('manage-people', 'fresh', {
    method: 'post',
    path: '/people/:id/access',
    input: changeAccessInput.safeExtend(ofId.shape),
    reply: changedPersonReply,
    async handle({ input: { id, role, accounts, signsOut }, session }, { em }) {
      const accountIds = [...new Set(accounts)];
      await changePerson(em(), { id, role, accountIds, signsOut, ...actingOf(session) });
      return { id };
    },
  }),

  acrossAccounts('manage-people', 'fresh', {
    method: 'post',
    path: '/people/:id/disable',
    input: ofId,
    reply: changedPersonReply,
    async handle({ input: { id }, session }, { em }) {
      await disablePerson(em(), { id, ...actingOf(session) });
      return { id };
    },
  }),

  acrossAccounts('manage-people', 'fresh', {
    method: 'post',
    path: '/people/:id/sign-out',
    input: ofId,
    reply: signOutPersonReply,
    async handle({ input: { id }, actor }, { em }) {
      const { ended } = await signOutPerson(em(), { id, actor });
      return { id, ended };
    },
  }),
];
