import { LandingImage, LandingPage } from '@leadback/db';

/** What landing reads as entities, and not by statements. */
export const entities = [LandingPage, LandingImage];
