import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useTexts } from '../../text/language.tsx';
import { NewConnection } from './new-connection.tsx';
import { PlatformChoice } from './platform-choice.tsx';
import { platformsQuery } from './queries.ts';
import { Steps } from './steps.tsx';
import { connectionTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/connections/new');

/** Connects the account to a platform, in three steps: the platform, its settings, a test event. */
export const NewConnectionScreen = () => {
  const texts = useTexts(connectionTexts);
  const { account } = route.useParams();
  const { platform: name } = route.useSearch();
  const query = useQuery(platformsQuery(useApi(), account));
  return (
    <>
      <ScreenHead title={texts.newTitle} intro={texts.newIntro} />
      <Loaded query={query} lines={6}>
        {({ items }) => {
          const platform = items.find((one) => one.name === name);
          // another platform begins with empty fields
          return platform ? (
            <NewConnection key={platform.name} platform={platform} />
          ) : (
            <>
              <Steps current="platform" />
              <PlatformChoice platforms={items} />
            </>
          );
        }}
      </Loaded>
    </>
  );
};
