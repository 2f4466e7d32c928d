import { z } from 'zod';
import { isHashOfNothing } from '../hash-of-nothing.ts';
import { invalidInput, type Problem } from './errors.ts';

// PostgreSQL and the tests may read the clock of this machine in different ways
const aheadMaxMs = 1000;
const ageMaxMs = 90 * 24 * 60 * 60 * 1000;

const problem = (code: number, name: string, message: string): Problem => ({ code, name, message });

const noName = problem(5605, 'OfflineConversionNameNullOrEmpty', 'The conversion name cannot be null or empty.');
const unknownName = problem(5606, 'OfflineConversionNameInvalid', 'The conversion name does not match a goal.');
const noClick = problem(5603, 'OfflineConversionMicrosoftClickIdNullOrEmpty', 'The Microsoft Click Id is empty.');
const badClick = problem(5604, 'OfflineConversionMicrosoftClickIdInvalid', 'The Microsoft Click Id is invalid.');
const noTime = problem(5608, 'OfflineConversionTimeNullOrEmpty', 'The conversion time cannot be null or empty.');
const badTime = problem(5607, 'OfflineConversionTimeInvalid', 'The conversion time is invalid.');
const oldTime = problem(5609, 'OfflineConversionTimeOutOfWindow', 'The conversion time is out of the window.');
const futureTime = problem(5614, 'FutureConversionTimeCannotBeSet', 'A future conversion time cannot be set.');
const badValue = problem(5610, 'OfflineConversionValueInvalid', 'The conversion value is invalid.');
const badCurrency = problem(5611, 'OfflineConversionCurrencyCodeInvalid', 'The currency code is invalid.');

const text = z.string().nullish();

/** `OfflineConversion` of the Campaign Management API. */
const conversionSchema = z.strictObject({
  ConversionName: text,
  ConversionTime: text,
  ConversionValue: z.number().nullish(),
  ConversionCurrencyCode: text,
  MicrosoftClickId: text,
  HashedEmailAddress: text,
  HashedPhoneNumber: text,
  ExternalAttributionCredit: z.number().nullish(),
  ExternalAttributionModel: text,
});
type Conversion = z.infer<typeof conversionSchema>;

const timeProblem = (time: string | null | undefined, nowMs: number): Problem | undefined => {
  if (!time) return noTime;
  // in UTC, with up to seven digits of a second
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?Z$/.test(time)) return badTime;
  const timeMs = Date.parse(time);
  if (timeMs > nowMs + aheadMaxMs) return futureTime;
  return nowMs - timeMs > ageMaxMs ? oldTime : undefined;
};

const isHash = (hash: string) => /^[0-9a-f]{64}$/.test(hash) && !isHashOfNothing(hash);

const personProblem = (conversion: Conversion): Problem | undefined => {
  const { MicrosoftClickId: click, HashedEmailAddress: email, HashedPhoneNumber: phone } = conversion;
  if (!click && !email && !phone) return noClick;
  if (click && !/^[0-9a-f]{32}$/i.test(click)) return badClick;
  // no code is documented for it
  return [email, phone].every((hash) => !hash || isHash(hash)) ? undefined : invalidInput;
};

const valueProblem = ({ ConversionValue: value, ConversionCurrencyCode: currency }: Conversion) => {
  if (typeof value === 'number' && value < 0) return badValue;
  return currency && !/^[A-Z]{3}$/.test(currency) ? badCurrency : undefined;
};

/** Why Microsoft would not apply this conversion; `undefined` if it would. */
export const problemOf = (sent: unknown, nowMs: number): Problem | undefined => {
  const { data } = conversionSchema.safeParse(sent);
  if (data === undefined) return invalidInput;
  if (!data.ConversionName) return noName;
  // the sandbox has every goal but those with this word
  if (data.ConversionName.includes('unknown')) return unknownName;
  // nor does a goal with this word have enhanced conversions turned on
  if (data.ConversionName.includes('click-only') && !data.MicrosoftClickId) return noClick;
  return timeProblem(data.ConversionTime, nowMs) ?? personProblem(data) ?? valueProblem(data);
};
