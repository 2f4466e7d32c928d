import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isAfterRefused, refuseLate, refuseUnreadable } from './serve.ts';

const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

describe('requests that are late at the same time', () => {
  it('are refused a few per turn of the event loop', async () => {
    const sockets = Array.from({ length: 23 }, () => new PassThrough());
    for (const socket of sockets) refuseUnreadable(late, socket);
    const refused = () => sockets.filter(({ writableEnded }) => writableEnded).length;
    const perTurn: number[] = [];
    for (let before = refused(); before < sockets.length; before = refused()) {
      await nextTurn();
      perTurn.push(refused() - before);
    }
    expect(Math.max(...perTurn)).toBe(5);
    expect(String(sockets[0]?.read())).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
  });

  it('get the response of the app if the rest of their bodies arrives before their turn', async () => {
    const request = new IncomingMessage(new Socket());
    refuseLate(request, new ServerResponse(request));
    request.complete = true;
    await nextTurn();
    expect([request.socket.writableEnded, request.socket.destroyed]).toEqual([false, false]);
    request.socket.destroy();
  });

  it('do not run if the rest of their headers arrives before their turn', () => {
    const socket = new Socket();
    refuseUnreadable(late, socket);
    expect(socket.writableEnded).toBe(false);
    expect(isAfterRefused(new IncomingMessage(socket))).toBe(true);
    socket.destroy();
  });
});
