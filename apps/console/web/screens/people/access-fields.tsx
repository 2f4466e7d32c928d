import type { Role } from '../../../src/contract/session.ts';
import { Select } from '../../parts/field.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { useTexts } from '../../text/language.tsx';
import { AccountChoice } from './account-choice.tsx';
import { peopleTexts } from './texts.ts';
import type { useAccess } from './use-access.ts';

const roles: readonly Role[] = ['admin', 'operator', 'marketer', 'partner-admin', 'partner-viewer'];

export const AccessFields = ({ access }: { readonly access: ReturnType<typeof useAccess> }) => {
  const texts = useTexts(peopleTexts);
  const names = useTexts(shellTexts).roles;
  const { role, accounts, needsAccounts, isMissing, setRole, setAccounts } = access;
  return (
    <>
      <Select
        label={texts.role}
        hint={texts.roleHints[role]}
        value={role}
        options={roles.map((value) => ({ value, label: names[value] }))}
        onChange={setRole}
      />
      {needsAccounts && <AccountChoice chosen={accounts} onChange={setAccounts} isMissing={isMissing} />}
    </>
  );
};
