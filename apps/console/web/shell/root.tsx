import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { secondFactorAsked, sessionEnded } from '../session-state.ts';
import { useStore } from '../store.ts';

const SessionLost = lazy(async () => ({ default: (await import('./session-lost.tsx')).SessionLost }));
const SecondFactor = lazy(async () => ({ default: (await import('./second-factor.tsx')).SecondFactor }));

export const Root = () => {
  const isEnded = useStore(sessionEnded);
  const answer = useStore(secondFactorAsked);
  return (
    <>
      <Outlet />
      <Suspense>
        {answer && !isEnded && <SecondFactor onAnswer={answer} />}
        {isEnded && <SessionLost onSignedIn={() => sessionEnded.set(false)} />}
      </Suspense>
    </>
  );
};
