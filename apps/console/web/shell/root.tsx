import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { sessionEnded } from '../session-ended.ts';
import { useStore } from '../store.ts';

const SessionLost = lazy(async () => ({ default: (await import('./session-lost.tsx')).SessionLost }));

export const Root = () => {
  const isEnded = useStore(sessionEnded);
  return (
    <>
      <Outlet />
      {isEnded && (
        <Suspense>
          <SessionLost onSignedIn={() => sessionEnded.set(false)} />
        </Suspense>
      )}
    </>
  );
};
