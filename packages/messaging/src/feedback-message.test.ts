import { describe, expect, it } from 'vitest';
import { readFeedbackMessage, writeFeedbackMessage } from './feedback-message.ts';

describe('feedback message', () => {
  it('carries the id of the row and nothing else', () => {
    const content = writeFeedbackMessage({ feedbackId: 7, platform: 'meta' });
    expect(JSON.parse(content.toString())).toEqual({ v: 1, feedbackId: 7 });
    expect(readFeedbackMessage(content)).toBe(7);
  });

  it.each(['', 'garbage', '{}', '{"v":2,"feedbackId":7}', '{"v":1,"feedbackId":"7"}', '{"v":1,"feedbackId":-1}'])(
    'is not read from %j',
    (content) => {
      expect(readFeedbackMessage(Buffer.from(content))).toBeUndefined();
    },
  );
});
