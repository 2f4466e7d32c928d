import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { OverviewReply } from '../../../src/contract/overview.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Chips } from '../../parts/chips.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { daysOf } from '../../range/presets.ts';
import { RangePicker } from '../../range/range-picker.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { Breakdown } from './breakdown.tsx';
import { DayTrend } from './day-trend.tsx';
import { DeliveryHealth } from './delivery-health.tsx';
import { measuresOf } from './measures.ts';
import { MeasureTabs } from './measure-tabs.tsx';
import styles from './style.module.css';
import { overviewQuery } from './queries.ts';
import { overviewTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/overview');

const isEmpty = ({ totals, previous, platforms }: OverviewReply): boolean =>
  platforms.length === 0 &&
  measuresOf({ totals, previous }).length === 3 &&
  [totals, previous].every(({ leads, clients, conversions }) => leads + clients + conversions === 0);

/** What did the clicks earn, and does everything arrive? */
export const OverviewScreen = () => {
  const texts = useTexts(overviewTexts);
  const api = useApi();
  const account = useAccountId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page, campaign } = search;
  const question = { ...daysOf(search), page, campaign };
  const query = useQuery(overviewQuery(api, account, { ...question, by: 'day' }));
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), resetScroll: false });
  const chips = [
    page === undefined ? [] : { key: 'page', text: texts.onlyPage(page), onRemove: () => change({ page: undefined }) },
    campaign === undefined
      ? []
      : {
          key: 'campaign',
          text: texts.onlyCampaign(campaign === '' ? texts.noCampaign : campaign),
          onRemove: () => change({ campaign: undefined }),
        },
  ].flat();
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        <RangePicker value={search} onChange={change} />
      </ScreenHead>
      {chips.length > 0 && (
        <div className={styles.chips}>
          <Chips chips={chips} />
        </div>
      )}
      <Loaded query={query} lines={8}>
        {(overview) =>
          isEmpty(overview) ? (
            <Card>
              <Empty
                icon="overview"
                title={texts.emptyTitle}
                action={
                  <Button onClick={() => change({ range: '90d', from: undefined, to: undefined })}>
                    {texts.emptyAction}
                  </Button>
                }
              >
                {texts.empty}
              </Empty>
            </Card>
          ) : (
            <>
              <Card>
                <MeasureTabs overview={overview} />
                <DayTrend overview={overview} question={question} measure={search.show ?? 'leads'} />
              </Card>
              <DeliveryHealth platforms={overview.platforms} />
              <Breakdown />
            </>
          )
        }
      </Loaded>
    </>
  );
};
