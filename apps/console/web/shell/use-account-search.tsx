import { useState } from 'react';
import { useSession } from '../api/use-api.ts';
import { Field } from '../parts/field.tsx';

const searchedFrom = 8;

/** A search in the accounts of the person by name; `field` is nothing while they are few. */
export const useAccountSearch = (label: string) => {
  const { accounts } = useSession();
  const [wanted, setWanted] = useState('');
  return {
    accounts,
    isFound: (name: string): boolean => name.toLowerCase().includes(wanted.trim().toLowerCase()),
    field: accounts.length >= searchedFrom && (
      <Field label={label} type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
    ),
  };
};
