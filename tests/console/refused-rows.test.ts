import {
  amountSchema,
  currenciesMessage,
  currencySchema,
  emailAddressSchema,
  eventIdSchema,
  eventNameSchema,
  occurredAtSchema,
  refusals,
  requiredText,
} from '@leadback/domain';
import { expect, it } from 'vitest';
import { platformList } from '@leadback/platforms';
import { translated } from '../../apps/console/web/reason/texts.ts';
import { translatedProblem } from '../../apps/console/web/screens/connections/problems.ts';

const refusedBy = ({ message, ...more }: { readonly message: string; readonly cases?: object }): string[] => [
  message,
  ...Object.values(more.cases ?? {}).map(String),
];
const problems = [
  [amountSchema, ['x', -1, 1e12]],
  [currencySchema, ['usd']],
  [requiredText(5), ['', 'too long', 'a\u0001b']],
  [emailAddressSchema, [`${'a'.repeat(300)}@x.example`]],
  [eventNameSchema, ['a/b']],
  [eventIdSchema, ['a/b']],
  [occurredAtSchema, ['yesterday']],
] as const;

it('what is wrong with a row of a file is said in Spanish and Portuguese: no frequent refusal is left in English', () => {
  const messages = [
    ...problems.flatMap(([schema, values]) =>
      values.flatMap((value) => {
        const { error } = schema.safeParse(value);
        expect([value, error?.issues.length]).toEqual([value, 1]);
        return (error?.issues ?? []).map(({ message }) => `field: ${message}`);
      }),
    ),
    refusals['invalid-fields'].cases.occurredAt,
    ...refusedBy(refusals['lead-unknown']),
    refusals['client-unknown'].message,
    ...refusedBy(refusals['conversion-repeated']),
    ...refusedBy(refusals['conversion-differs']),
    ...refusedBy(refusals['conversion-retracted']),
    currenciesMessage(['USD', 'BRL']),
    'amount, currency: not as registered with this conversionExternalReference',
    'amount: must not be negative; currency: this account takes USD; ask your operator to allow another one',
  ];
  for (const language of ['es', 'pt'] as const) {
    expect(messages.filter((message) => translated(message, language) === undefined)).toEqual([]);
  }
  expect(translated('amount: must not be larger than 10; email: must not be empty', 'es')).toBe(
    'amount: no puede ser mayor que 10; email: no puede estar vacío',
  );
  // the rest is said as the server says it
  expect(translated('amount: must not be negative; line 4: something new', 'pt')).toBe(undefined);
});

it('what is wrong with a setting or credential is said in Spanish and Portuguese, for all platforms', () => {
  const wrong = ['', 'x y', 1, {}, undefined];
  const messages = platformList.flatMap(({ fields, settingsSchema, credentialsSchema }) =>
    fields.flatMap(({ name }) =>
      wrong.flatMap((value) =>
        [settingsSchema, credentialsSchema].flatMap(
          (schema) => schema.safeParse({ [name]: value }).error?.issues.map(({ message }) => message) ?? [],
        ),
      ),
    ),
  );
  const offered = /^expected (?:\w|-)+(?:, (?:\w|-)+)*(?: or (?:\w|-)+)?$/;
  // a form has no way to choose what it does not offer
  const said = [...new Set(messages)].filter((message) => !offered.test(message));
  expect(said.length).toBeGreaterThan(20);
  for (const language of ['es', 'pt'] as const) {
    expect(said.filter((message) => translatedProblem(message, language) === undefined)).toEqual([]);
  }
  expect(translatedProblem('there are no credentials; give Access token', 'pt')).toBe('faltam as credenciais');
});
