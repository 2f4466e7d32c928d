import {
  type RefusalCode,
  type RefusalText,
  refusalCodes,
  refusals,
  remedies,
  warningCodes,
  warnings,
} from '@leadback/domain';
import { statusOfCode } from '@leadback/server/http';
import { contentOf } from './content.ts';
import { markdownTable } from './markdown-table.ts';

/** The text with each heading one level lower, so that it can be a section. Code is left as it is. */
const asSection = (text: string): string =>
  text
    .split(/(^```[^]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : part.replaceAll(/^#+(?= )/gm, '#$&')))
    .join('');

const linkToReadme = /^.*packages\/sdk\/README\.md.*$/m;

/** All SDKs, in Markdown: the README of the package for JavaScript instead of the link to it. */
export const sdksPage = (): string => {
  const [, ...readme] = asSection(contentOf('sdk-javascript.md')).split(/(?<=^## .*\n)/m);
  return contentOf('sdks.md').replace(linkToReadme, () => readme.join('').trim());
};

const textsOf = (code: RefusalCode): RefusalText => refusals[code];
const retryOf = (code: RefusalCode) => (remedies[code].isTemporary ? 'yes' : 'no');

const sectionOf = (code: RefusalCode): string => {
  const { meaning, message, cases = {} } = textsOf(code);
  const messages = [message, ...Object.values(cases)].map((text) => `- \`${text}\``);
  return [
    `## ${code}`,
    `Status ${statusOfCode[code]}. ${meaning}`,
    `**What to do:** ${remedies[code].remedy}`,
    `**Retry the same request:** ${retryOf(code)}.`,
    `Messages:\n\n${messages.join('\n')}`,
  ].join('\n\n');
};

const warningsSection = [
  '## Warnings',
  'A request may succeed although not everything was taken as sent. Then the response (200 or 201) has the header `Leadback-Warning`: `code;field=name`, with commas between several, never a value. Results of a batch have the same codes in their field `warnings`. With a test key, the `warnings` in the body say it in words. The list is closed:',
  markdownTable(
    ['`Leadback-Warning`', 'meaning'],
    warningCodes.map((code) => [`\`${code}\``, warnings[code].meaning]),
  ),
].join('\n\n');

/** Every code of `Leadback-Error` and `Leadback-Warning`, in Markdown. */
export const errorsPage = (): string =>
  [
    '# Errors and warnings',
    'Every error has the body `{"message": string}` and nothing else. In programs, read the header `Leadback-Error` instead of the message: messages may change, codes do not. Every response has an `x-request-id`; give it to support.',
    markdownTable(
      ['`Leadback-Error`', 'status', 'retry', 'meaning'],
      refusalCodes.map((code) => [
        `[\`${code}\`](#${code})`,
        String(statusOfCode[code]),
        retryOf(code),
        refusals[code].meaning,
      ]),
    ),
    warningsSection,
    ...refusalCodes.map(sectionOf),
  ].join('\n\n');
