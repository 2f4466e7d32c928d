import { useEffect, useState } from 'react';
import { useFormat } from '../text/use-format.ts';

const minuteMs = 60_000;

/** The current time, renewed every minute. */
const useNow = (): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return now;
};

interface TimeProps {
  readonly at: string;
  /** exact: date and time. ago: how long ago; the exact time is its title. */
  readonly look?: 'exact' | 'ago';
}

export const Time = ({ at, look = 'exact' }: TimeProps) => {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={at} title={format.timeWithZone(at)}>
      {look === 'ago' ? format.ago(at, now) : format.time(at)}
    </time>
  );
};
