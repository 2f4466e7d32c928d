export { type CountedPerson, countPerson } from './count-person.ts';
export { allowPerson, type PersonToAllow } from './keep-erased-keys.ts';
export {
  completeErasure,
  type ErasureTools,
  erasureTools,
  type ErasureStep,
  performNextErasure,
  networkErasuresPerHour,
  visitorErasuresPerHour,
  performAtOnce,
  erasureSettings,
} from './perform-erasure.ts';
export {
  type ErasureInProgress,
  erasePerson,
  isAnyoneErased,
  hasPersonalData,
  withoutPersonalData,
} from './erase-person.ts';
export type { PersonToErase } from './find-person.ts';
