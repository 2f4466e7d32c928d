import { describe, expect, it } from 'vitest';
import { readFeedbackMessage, writeFeedbackMessage } from './feedback-message.ts';

describe('feedback message', () => {
  it('writes only the ids of a delivery and its connection into a feedback message', () => {
    const content = writeFeedbackMessage({ feedbackId: 7, connectionId: 3, platform: 'meta' });
    expect(JSON.parse(content.toString())).toEqual({ v: 1, feedbackId: 7, connectionId: 3 });
    expect(readFeedbackMessage(content)).toEqual({ feedbackId: 7, connectionId: 3 });
  });

  it('reads a feedback message without a connection, as older versions write it', () => {
    expect(readFeedbackMessage(Buffer.from('{"v":1,"feedbackId":7}'))).toEqual({ feedbackId: 7 });
  });

  it.each(['', 'garbage', '{}', '{"v":2,"feedbackId":7}', '{"v":1,"feedbackId":"7"}', '{"v":1,"feedbackId":-1}'])(
    'reads no feedback message from %j',
    (content) => {
      expect(readFeedbackMessage(Buffer.from(content))).toBeUndefined();
    },
  );
});
