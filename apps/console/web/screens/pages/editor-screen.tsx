import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { Editor } from './editor.tsx';
import { pageQuery } from './queries.ts';
import { pagesTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/pages/$page');

/** One page: its content at the left, what visitors see at the right. */
export const EditorScreen = () => {
  const texts = useTexts(pagesTexts);
  const { account, page } = route.useParams();
  const query = useQuery(pageQuery(useApi(), account, page));
  return (
    <>
      <Link className={styles.back} to="/a/$account/pages" params={{ account }}>
        <Icon name="left" />
        {texts.all}
      </Link>
      <Loaded query={query} lines={12}>
        {(found) => <Editor key={found.id} page={found} />}
      </Loaded>
    </>
  );
};
