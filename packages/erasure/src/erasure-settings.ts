import { z } from 'zod';

/** Settings of the apps that perform erasures; `.env.example` describes them. */
export const erasureSettings = {
  BACKUPS_KEPT_DAYS: z.coerce.number().int().min(0).max(36_500).default(30),
};
