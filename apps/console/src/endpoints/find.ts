import { Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import type { Response } from 'express';
import type { ConsoleContext } from '../context.ts';
import { findInput, findReply, storyInput, storyReply } from '../contract/find.ts';
import { leadReferenceFor, personalData } from '../personal-data.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { mayDo } from '../sessions/capabilities.ts';
import { type DataFor, describeMatch, describeStory } from './story-view.ts';

const subject = 'Find';

const dataFor = (response: Response): DataFor => {
  const { role } = sessionOf(response).person;
  return {
    ...personalData(mayDo(role, 'see-personal-data')),
    leadReference: (reference) => leadReferenceFor(mayDo(role, 'erase'), reference),
  };
};

export const find = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/find',
  subject,
  summary: 'Find an order, a client or a lead',
  description: 'By its id, reference or email. Changes nothing.',
  input: findInput,
  headers: nothing,
  replies: { 200: { description: 'What has this name.', body: findReply, example: undefined } },
  async handle({ input, response }, { findByText }) {
    const data = dataFor(response);
    const { matches, hasMore } = await findByText(scopeOf(response), input.text);
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
  async handle({ input, response }, { readStory: read }) {
    const story = await read(scopeOf(response), input);
    if (!story) throw new Refusal('not-found', { message: 'there is no such lead or client' });
    return { status: 200, body: describeStory(story, dataFor(response)) };
  },
});
