import './style/tokens.css';
import './style/base.css';
import './state.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Api, ApiError, ApiProvider, createApi, sessionQuery } from './api.ts';
import { createAppRouter } from './router.ts';
import { askSecondFactor, sessionEnded } from './state.ts';
import { LanguageProvider } from './text/language.tsx';

const retriesMax = 2;
const isTemporary = (error: Error): boolean => error instanceof ApiError && [0, 502, 503, 504].includes(error.status);

const client = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (failures, error) => failures < retriesMax && isTemporary(error) },
  },
});
const api: Api = createApi({
  askSecondFactor,
  onSignedOut: () => {
    const session = client.getQueryData(sessionQuery(api).queryKey);
    if (session?.person) sessionEnded.set(true);
  },
});
const router = createAppRouter({ api, client });

const element = document.querySelector('#root');
if (!element) throw new Error('index.html has no element #root');
createRoot(element).render(
  <StrictMode>
    <LanguageProvider>
      <QueryClientProvider client={client}>
        <ApiProvider value={api}>
          <RouterProvider router={router} />
        </ApiProvider>
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
);
