import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/use-api.ts';
import { type Upload, upload } from './upload.ts';

export interface Uploading {
  readonly fileName: string | undefined;
  /** From 0 to 1; undefined: nothing is sent. */
  readonly share: number | undefined;
  readonly error: Error | null;
  readonly send: (file: Upload) => void;
  readonly cancel: () => void;
}

/** Sends one file at a time, and returns the id of what it has become. Leaving the page cancels it. */
export const useUpload = (onDone: (created: { readonly id: number }) => void): Uploading => {
  const api = useApi();
  const [share, setShare] = useState(0);
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const { mutate, reset, isPending, error, variables } = useMutation({
    mutationFn: (file: Upload) => {
      const controller = new AbortController();
      current.current = controller;
      setShare(0);
      return upload<{ readonly id: number }>(api, file, { onProgress: setShare, signal: controller.signal });
    },
    onSuccess: onDone,
  });
  return {
    fileName: variables?.file.name,
    share: isPending ? share : undefined,
    error,
    send: mutate,
    cancel: () => {
      reset();
      current.current?.abort();
    },
  };
};
