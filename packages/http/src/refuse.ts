import type { Response } from 'express';

/** Answers with the one error shape of the service: `{message}` and nothing else. */
export const refuse = (response: Response, status: number, message: string): void => {
  response.status(status).json({ message });
};
