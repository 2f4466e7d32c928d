import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Skeleton } from '../../parts/layout.tsx';
import { idOf } from '../../search.ts';

const NewSource = lazy(async () => ({ default: (await import('./new-source.tsx')).NewSource }));
const OneSource = lazy(async () => ({ default: (await import('./source.tsx')).OneSource }));

const route = getRouteApi('/signed-in/a/$account/connections/sources/$source');

/** A source by its id; else the form of a new one, by the name of its kind. */
export const SourceScreen = () => {
  const { account, source } = route.useParams();
  const id = idOf(source);
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      {id === undefined ? (
        <NewSource key={source} account={account} kind={source} />
      ) : (
        <OneSource key={source} account={account} id={source} />
      )}
    </Suspense>
  );
};
