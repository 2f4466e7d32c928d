import type { FormField } from '../../../src/contract/connections.ts';
import type { PlatformName } from '../../parts/platform.tsx';
import { useTexts } from '../../text/language.tsx';
import type { FieldText } from './field-texts/field-text.ts';
import { fieldTexts } from './field-texts/index.ts';

/** The texts of the fields that the console knows; of those of a new platform, what the platform itself says. */
export const useFieldText = (
  platform: PlatformName,
): ((field: Pick<FormField, 'name' | 'label' | 'help'>) => FieldText) => {
  const texts = useTexts(fieldTexts);
  return ({ name, label, help }) => texts[`${platform}.${name}`] ?? texts[name] ?? { label, help };
};
