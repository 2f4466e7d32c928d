import { useMutation } from '@tanstack/react-query';
import { useApi } from '../api/use-api.ts';
import { useAccountId } from '../shell/use-account.ts';

/** Saves what is at a path as a file. */
const followDownload = (path: string): void => {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
};

/** Downloads a file with personal data, after the second factor if it is needed. */
export const useDownload = () => {
  const api = useApi();
  const account = useAccountId();
  return useMutation({
    mutationFn: async (path: string) => {
      await api.post(`/api/accounts/${account}/files/check`, {});
      followDownload(path);
    },
  });
};
