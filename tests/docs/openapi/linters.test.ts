import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, it } from 'vitest';
import { apiDocument } from '../../../apps/api/src/documentation/api-document.ts';
import { endpoints } from '../../../apps/api/src/endpoints/index.ts';

const text = JSON.stringify(apiDocument(endpoints));

it('Spectral finds nothing in the OpenAPI document with the rules of spectral:oas', async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset(new spectral.Ruleset({ extends: rulesets.oas }));
  const findings = await linter.run(text);
  expect(findings.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`)).toEqual([]);
});

it('Redocly finds nothing in the OpenAPI document with its recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const findings = await lintFromString({ source: text, config, absoluteRef: '/openapi.json' });
  expect(findings.map(({ ruleId, location, message }) => [ruleId, location[0]?.pointer, message])).toEqual([]);
});
