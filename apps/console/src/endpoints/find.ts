import { Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import { ConsoleRefusal } from '../console-refusal.ts';
import type { ConsoleContext } from '../context.ts';
import { findInput, findReply, storyInput, storyReply } from '../contract/find.ts';
import { isSearchForPerson } from '../personal-data.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { dataFor } from '../sessions/data-for.ts';
import { describeMatch, describeStory } from './story-view.ts';

const subject = 'Find';

export const find = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/find',
  subject,
  summary: 'Find an order, a client or a lead',
  description:
    'By its id, reference or email; by email or phone only for roles that see personal data. Changes nothing.',
  input: findInput,
  headers: nothing,
  replies: { 200: { description: 'What has this name.', body: findReply, example: undefined } },
  async handle({ input, response }, { findByText, management }) {
    const data = dataFor(response);
    // also an empty reply would say who is a customer
    if (data.isMasked && isSearchForPerson(input.text)) throw new ConsoleRefusal('role-forbids');
    const scope = scopeOf(response);
    const { matches, hasMore } = await findByText(scope, input.text);
    if (!data.isMasked && matches.length > 0) await management.noteView(scope, sessionOf(response).person.email);
    return { status: 200, body: { matches: matches.map((match) => describeMatch(match, data)), hasMore } };
  },
});

export const readStory = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/story',
  subject,
  summary: 'The whole story of a click',
  description: 'Its clients, their conversions, and what each platform was told.',
  input: storyInput,
  headers: nothing,
  replies: { 200: { description: 'The story.', body: storyReply, example: undefined } },
  async handle({ input, response }, { readStory: read, management }) {
    const scope = scopeOf(response);
    const story = await read(scope, input);
    if (!story) throw new Refusal('not-found', { message: 'there is no such lead or client' });
    const data = dataFor(response);
    if (!data.isMasked) await management.noteView(scope, sessionOf(response).person.email);
    return { status: 200, body: describeStory(story, data) };
  },
});
