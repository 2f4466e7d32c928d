import { useNavigate } from '@tanstack/react-router';
import { Menu, MenuGroup, MenuItem } from '../parts/menu.tsx';
import { useTexts } from '../text/language.tsx';
import styles from './style.module.css';
import type { ScreenLink } from './screens.ts';
import { shellTexts } from './texts.ts';
import { useFrameAccountId } from './use-account.ts';
import type { useScreens } from './use-screens.ts';

/** The menu of a narrow screen, where the bar at the bottom has room for few. */
export const MoreScreens = ({ groups }: { readonly groups: ReturnType<typeof useScreens> }) => {
  const texts = useTexts(shellTexts);
  const navigate = useNavigate();
  const account = useFrameAccountId() ?? '';
  const open = (to: ScreenLink['to']) => void navigate({ to, params: { account } });
  return (
    <div className={styles.more}>
      <Menu look="quiet" icon="more" label={texts.more}>
        {(close) =>
          groups.map(({ group, screens }) => (
            <MenuGroup key={group} title={texts.groups[group]}>
              {screens.map(({ name, to }) => (
                <MenuItem
                  key={name}
                  onSelect={() => {
                    close();
                    open(to);
                  }}
                >
                  {texts[name]}
                </MenuItem>
              ))}
            </MenuGroup>
          ))
        }
      </Menu>
    </div>
  );
};
