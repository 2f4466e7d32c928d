import type { RequestHandler, Router } from 'express';
import { z } from 'zod';
import type { Order, Standing } from './order.ts';

/** In the settings of every shop. */
export const commonSettings = {
  /** Where its messages go. */
  url: z.url({ protocol: /^https?$/ }),
  /** How long a minute of the real schedule of retries is. */
  minuteMs: z.number().positive().max(60_000).default(100),
};

export interface ShopSettings {
  readonly url: string;
  readonly minuteMs: number;
}

export interface HttpRequest {
  readonly method: 'POST' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it is signed. */
  readonly body: string;
}

export interface Message<Settings> {
  /** The shop's own name for what happened. */
  readonly topic: string;
  /** What is switched off alone after failures, and has an address of its own. Default: all messages together. */
  readonly hook?: string;
  /** A retry is signed again where the real shop does that. */
  readonly request: (settings: Settings, nowMs: number) => HttpRequest;
}

/** What happened to an order. `pending` and `failed`: nobody has paid. */
export type Change = 'created' | 'paid' | 'failed' | 'refunded' | 'cancelled';

/** What an API of a shop, and its own endpoints, may use. */
export interface ShopState<Settings> {
  readonly settings: () => Settings | undefined;
  readonly change: (settings: Settings) => void;
  readonly orders: ReadonlyMap<string, Order>;
  readonly now: () => number;
  readonly send: (messages: readonly Message<Settings>[], orderId?: string) => Promise<void>;
}

/** One kind of shop or payment service: a file with its forms, signatures, ids and repeats. */
export interface ShopKind<Settings extends ShopSettings> {
  readonly name: string;
  /** What `PUT {shop}` takes. */
  readonly settings: z.ZodType<Settings>;
  /** Missing: it signs nothing. */
  readonly signing?: {
    readonly headerOf: (settings: Settings) => string;
    readonly withSecret: (settings: Settings, secret: string) => Settings;
  };
  readonly newId: (order: { readonly isTest: boolean }) => string;
  readonly newRefundId: () => string;
  /** Whether its orders say that they are tests. */
  readonly marksTests: boolean;
  /** Its own words for how far an order is, which `status` may be. */
  readonly words: Readonly<Record<string, Standing>>;
  /** What is paid can be refunded alone. */
  readonly cannotCancelPaid?: true;
  /** What it sends, in its usual order. */
  readonly tell: (change: Change, order: Order, settings: Settings) => readonly Message<Settings>[];
  /** What the response to a new order says besides its id. */
  readonly namesOf?: (order: Order) => Readonly<Record<string, string>>;
  /** Sent when the settings are saved, before anything was bought. */
  readonly greeting?: (settings: Settings) => readonly Message<Settings>[];
  /** The pauses between attempts, in minutes. */
  readonly retryAfterMinutes: readonly number[];
  readonly timeoutMs: number;
  readonly isTaken: (status: number) => boolean;
  /** A hook is switched off at so many failures in a row, or at a response. Missing: never. */
  readonly switchesOffAt?: { readonly failures?: number; readonly status?: number };
  /** The paths of its API, as the real ones, and endpoints of its own below `/shops/{kind}`. */
  readonly routes?: (state: ShopState<Settings>, asTold: AsTold) => Router;
}

/** Responds to a request of an API with the failure that the behaviour asks for, in the words of the shop; else goes on. */
export type AsTold = (bodyOf: (status: number) => unknown) => RequestHandler;
