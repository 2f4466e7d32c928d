export { type CountedPerson, countPerson } from './count-person.ts';
export { completeErasure } from './complete-erasure.ts';
export { type ErasureInProgress, erasePerson, isAnyoneErased } from './erase-person.ts';
export type { PersonToErase } from './find-person.ts';
export { hasPersonalData, withoutPersonalData } from './personal-lead-data.ts';
export { type ErasureTools, erasureTools } from './perform-erasure.ts';
export { type ErasureStep, performNextErasure, visitorErasuresPerHour } from './perform-next-erasure.ts';
export { performAtOnce } from './perform-at-once.ts';
export { erasureSettings } from './erasure-settings.ts';
