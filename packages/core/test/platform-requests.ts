import { type DuePlatformRequest, takeDuePlatformRequests } from '@leadback/core/delivery/request-status';
import { Delivery, PlatformRequest } from '@leadback/db';
import type { TestDatabase } from '@leadback/testing';

/** Reads and claims platform requests. */
export const platformRequests = (database: TestDatabase) => {
  const take = async (id: number): Promise<DuePlatformRequest | undefined> => {
    const due = await takeDuePlatformRequests(database.pool, 1_000);
    return due.find((request) => request.id === id);
  };
  return {
    /** Takes the request if it is due. */
    take,
    /** Makes the request due and takes it. */
    taken: async (id: number): Promise<DuePlatformRequest> => {
      await database.pool.query('update platform_request set check_at = now() where id = $1', [id]);
      const request = await take(id);
      if (!request) throw new Error('cannot take the request');
      return request;
    },
    stored: (id: number) => database.em().findOneOrFail(PlatformRequest, id),
    deliveries: (ids: readonly number[]) =>
      database.em().find(Delivery, { id: { $in: [...ids] } }, { orderBy: { id: 'asc' } }),
  };
};
