import { Refusal } from '@leadback/domain';
import { ConsoleRefusal } from '../console-refusal.ts';
import { findInput, findReply, storyInput, storyReply } from '../contract/find.ts';
import { isSearchForPerson } from '../personal-data.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { dataFor } from '../sessions/data-for.ts';
import { endpoint } from './guard.ts';
import { describeMatch, describeStory } from './story-view.ts';

export const find = endpoint({
  method: 'post',
  path: '/accounts/:account/find',
  input: findInput,
  replies: { 200: { body: findReply } },
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

export const readStory = endpoint({
  method: 'get',
  path: '/accounts/:account/story',
  input: storyInput,
  replies: { 200: { body: storyReply } },
  async handle({ input, response }, { readStory: read, management }) {
    const scope = scopeOf(response);
    const story = await read(scope, input);
    if (!story) throw new Refusal('not-found', { message: 'there is no such lead or client' });
    const data = dataFor(response);
    if (!data.isMasked) await management.noteView(scope, sessionOf(response).person.email);
    return { status: 200, body: describeStory(story, data) };
  },
});
