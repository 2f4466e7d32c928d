import type { Figures } from '../figures.ts';
import { conversionsPerSecond, type Delivery, givenDelivery, registerAtRate } from '../given-delivery.ts';
import { untilDelivered } from '../open-deliveries.ts';
import type { Part } from '../part.ts';

// for a p99 of more than ten values
const secondsFactor = 10;

// nobody listens there
const away = { AMQP_URL: 'amqp://127.0.0.1:1' };

const [usual, without] = ['with RabbitMQ', 'without RabbitMQ'];

export const withoutRabbitmq: Part = {
  does: () =>
    `without-rabbitmq: ${conversionsPerSecond} conversions a second, for two platforms, from an api that cannot connect to RabbitMQ`,
  goals: () => [{ measurement: without, figure: 'p99 ms', beside: usual, target: { atMost: 1.1 } }],
  prepare: async (bench) => {
    const [connected, alone] = [await givenDelivery(bench), await givenDelivery(bench, away)];
    const measureOf = (delivery: Delivery) => async (): Promise<Figures> => {
      const { p50, p99 } = await registerAtRate(bench, delivery, bench.settings.seconds * secondsFactor);
      await untilDelivered(delivery.stack.pool);
      return { 'p50 ms': p50, 'p99 ms': p99 };
    };
    return {
      measurements: new Map([
        [usual, measureOf(connected)],
        [without, measureOf(alone)],
      ]),
    };
  },
};
