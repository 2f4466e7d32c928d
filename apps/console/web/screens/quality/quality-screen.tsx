import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { daysOf, searchOf } from '../../range/presets.ts';
import { RangePicker } from '../../range/range-picker.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { PlatformCard } from './platform-card.tsx';
import { qualityQuery } from './queries.ts';
import { qualityTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/quality');

/** By what could platforms match the sales, and what would help? */
export const QualityScreen = () => {
  const texts = useTexts(qualityTexts);
  const api = useApi();
  const account = useAccountId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(qualityQuery(api, account, daysOf(search)));
  const change = (range: typeof search) => void navigate({ search: range, resetScroll: false });
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        <RangePicker value={search} onChange={change} />
      </ScreenHead>
      <Loaded query={query} lines={8}>
        {({ platforms }) =>
          platforms.length === 0 ? (
            <Card>
              <Empty
                icon="quality"
                title={texts.emptyTitle}
                action={<Button onClick={() => change(searchOf('90d'))}>{texts.emptyAction}</Button>}
              >
                {texts.empty}
              </Empty>
            </Card>
          ) : (
            platforms.map((quality) => <PlatformCard key={quality.platform} quality={quality} />)
          )
        }
      </Loaded>
    </>
  );
};
