import express, { type Router } from 'express';
import type { SecurityReply } from '../../apps/console/src/contract/security.ts';

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

const reply = (): SecurityReply => ({
  supportsPasskeys: true,
  passkeys: [
    { id: 1, name: 'Safari · iPhone', createdAt: ago(2000), usedAt: ago(3) },
    { id: 2, name: 'Security key in the drawer of the desk at home', createdAt: ago(50), usedAt: null },
  ],
  sessions: [
    { id: 11, device: 'Chrome · Windows', createdAt: ago(4), seenAt: ago(0), isCurrent: true },
    { id: 12, device: 'Safari · iPhone', createdAt: ago(100), seenAt: ago(7), isCurrent: false },
    { id: 13, device: null, createdAt: ago(120), seenAt: ago(11), isCurrent: false },
  ],
});

/** The own sign-in of the person. */
export const securityDouble = (): Router => {
  const router = express.Router();
  router.get('/', (_request, response) => void response.json(reply()));
  return router;
};
