import { describe, expect, it } from 'vitest';
import { readFeedbackMessage, writeFeedbackMessage } from './feedback-message.ts';

describe('feedback message', () => {
  it('carries the ids of the row and its connection, and nothing else', () => {
    const content = writeFeedbackMessage({ feedbackId: 7, connectionId: 3, platform: 'meta' });
    expect(JSON.parse(content.toString())).toEqual({ v: 1, feedbackId: 7, connectionId: 3 });
    expect(readFeedbackMessage(content)).toEqual({ feedbackId: 7, connectionId: 3 });
  });

  it('is read without a connection too, as older apps write it', () => {
    expect(readFeedbackMessage(Buffer.from('{"v":1,"feedbackId":7}'))).toEqual({ feedbackId: 7 });
  });

  it.each(['', 'garbage', '{}', '{"v":2,"feedbackId":7}', '{"v":1,"feedbackId":"7"}', '{"v":1,"feedbackId":-1}'])(
    'is not read from %j',
    (content) => {
      expect(readFeedbackMessage(Buffer.from(content))).toBeUndefined();
    },
  );
});
