import { Lead } from '@leadback/db';
import { givenLandingPage, rawAnswer, smugglingCorpus, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';

const headers = [
  'Content-Type: application/x-www-form-urlencoded',
  'User-Agent: Mozilla/5.0 (X11; Linux) Firefox/140.0',
];
const visiting = (slug: string) => [`GET /${slug}?gclid=hidden HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const corpus = (slug: string) => smugglingCorpus({ path: `/${slug}-form`, headers, hidden: visiting(slug) });

describe('a landing page behind a proxy', async () => {
  const landing = await shared(givenLanding());
  const { slug } = await givenLandingPage(landing.database.em(), { mode: 'direct' });

  it.each(corpus('').map(({ name }, index) => [name, index] as const))(
    'closes the connection after a request with %s, and does not run the request inside',
    async (_name, index) => {
      const answer = await rawAnswer(landing.port, corpus(slug)[index]?.wire ?? '');
      expect(answer.match(/^HTTP\/1\.1 \d{3}/gm)).toEqual(['HTTP/1.1 400']);
      expect(await landing.database.em().count(Lead)).toBe(0);
    },
  );

  // after the others: what they hide may run late
  it('runs the request that the others hide only if it is sent alone', async () => {
    const alone = visiting(slug).replace('Host: x', 'Host: x\r\nConnection: close');
    expect(await rawAnswer(landing.port, alone)).toMatch(/^HTTP\/1\.1 302/);
    expect(await landing.database.em().count(Lead)).toBe(1);
  });
});
