import type { AttributedEvent } from '@leadback/domain';
import { ZodError } from 'zod';
import type { StoredSettings } from './named-settings.ts';

type SettingsOf<Settings> = (event: AttributedEvent) => Settings | undefined;

/**
 * Returns a function that compares where an event goes with where it went with other settings. Settings that are invalid
 * by now say nothing of that: then the event went elsewhere.
 */
export const comparingDestinations =
  <Settings>(
    destinationOf: (settings: Settings) => string,
    now: SettingsOf<Settings>,
    settingsOf: (former: StoredSettings) => SettingsOf<Settings>,
  ) =>
  (event: AttributedEvent, former: StoredSettings): boolean => {
    const at = (named: SettingsOf<Settings>) => {
      const settings = named(event);
      return settings && destinationOf(settings);
    };
    try {
      return at(settingsOf(former)) !== at(now);
    } catch (error) {
      if (error instanceof ZodError) return true;
      throw error;
    }
  };
