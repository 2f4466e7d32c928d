import { readLandingFacts } from '@leadback/core/leads/landing-instances';
import { eventually } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';

describe('a landing app behind a proxy', () => {
  it.each([
    ['trusts none', 0, 1],
    ['trusts it', 1, 0],
  ])(
    'reports an ignored proxy, and that it ends TLS, in the database if a landing app behind a proxy %s',
    async (_, trustProxyHops, ignoringProxy) => {
      await using landing = await givenLanding({ trustProxyHops });
      const facts = () => readLandingFacts(landing.database.em());
      expect(await facts()).toMatchObject({ known: 1, ignoringProxy: 0, missingTls: 0 });
      await landing.visit('/nothing', { headers: { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' } });
      await landing.heardOfNews();
      await eventually(async () =>
        expect(await facts()).toMatchObject({ known: 1, ignoringProxy, missingTls: ignoringProxy }),
      );
    },
  );
});
