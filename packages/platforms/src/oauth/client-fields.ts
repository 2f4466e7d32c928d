import { secretText } from '../secret-text.ts';

/** What an operator is told about a field. `expected`: the error for an invalid value. */
interface FieldTexts {
  readonly expected: string;
  readonly help: string;
}

/** The credentials that an OAuth client needs to get access tokens with a refresh token. */
export const oauthClientFields = (
  texts: Readonly<Record<'clientId' | 'clientSecret' | 'refreshToken', FieldTexts>>,
) => ({
  clientId: secretText(texts.clientId.expected).meta({
    label: 'OAuth client id',
    help: texts.clientId.help,
    value: 'id',
  }),
  clientSecret: secretText(texts.clientSecret.expected).meta({
    label: 'OAuth client secret',
    help: texts.clientSecret.help,
    value: 'secret',
    isSecret: true,
  }),
  refreshToken: secretText(texts.refreshToken.expected).meta({
    label: 'Refresh token',
    help: texts.refreshToken.help,
    value: 'token',
    isSecret: true,
  }),
});
