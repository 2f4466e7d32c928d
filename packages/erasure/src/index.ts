export { type CountedPerson, countPerson } from './count-person.ts';
export { type ErasedPerson, erasePerson, erasureAction, isAnyoneErased } from './erase-person.ts';
export type { PersonToErase } from './find-person.ts';
export { hasPersonalData, withoutPersonalData } from './personal-lead-data.ts';
