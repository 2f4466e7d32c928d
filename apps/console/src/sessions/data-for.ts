import type { Response } from 'express';
import { leadReferenceFor, type PersonalData, personalData } from '../personal-data.ts';
import { sessionOf } from './authenticate.ts';
import { mayDo } from './capabilities.ts';

/** How the caller sees what was found. */
export interface DataFor extends PersonalData {
  readonly leadReference: (reference: string) => string;
}

export const dataFor = (response: Response): DataFor => {
  const { role } = sessionOf(response).person;
  return {
    ...personalData(mayDo(role, 'see-personal-data')),
    leadReference: (reference) => leadReferenceFor(mayDo(role, 'erase'), reference),
  };
};
