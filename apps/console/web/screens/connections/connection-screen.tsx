import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { platformTitles } from '../../parts/platform.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useTexts } from '../../text/language.tsx';
import { ChangeConnection } from './change-connection.tsx';
import { Facts } from './facts.tsx';
import { healthOf, healthTones } from './health.ts';
import { connectionQuery, platformsQuery } from './queries.ts';
import { connectionTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/connections/$connection');

/** One connection: does it work, and what is set? */
export const ConnectionScreen = () => {
  const texts = useTexts(connectionTexts);
  const api = useApi();
  const { account, connection: id } = route.useParams();
  const query = useQuery(connectionQuery(api, account, id));
  const platforms = useQuery(platformsQuery(api, account));
  return (
    <>
      <Link to="/a/$account/connections" params={{ account }}>
        {texts.toList}
      </Link>
      <Loaded query={query} lines={8}>
        {(found) => {
          const { connection } = found;
          const health = healthOf(connection);
          return (
            <>
              <ScreenHead
                title={`${platformTitles[connection.platform]} · ${texts.connection(connection.id)}`}
                intro={<Badge tone={healthTones[health]}>{texts.health[health]}</Badge>}
              />
              <Facts connection={connection} />
              <Loaded query={platforms} lines={6}>
                {({ items }) => {
                  const platform = items.find(({ name }) => name === connection.platform);
                  return platform && <ChangeConnection key={id} platform={platform} found={found} />;
                }}
              </Loaded>
            </>
          );
        }}
      </Loaded>
    </>
  );
};
