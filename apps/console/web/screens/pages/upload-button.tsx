import { classNames } from '../../parts/class-names.ts';
import styles from './style.module.css';

const types = 'image/png,image/jpeg,image/gif,image/webp,image/avif';

interface UploadButtonProps {
  readonly label: string;
  /** What the file is for. */
  readonly name: string;
  readonly isBusy: boolean;
  readonly onFile: (file: File) => void;
}

/** The browser's own field for a file, as a button. */
export const UploadButton = ({ label, name, isBusy, onFile }: UploadButtonProps) => (
  <label className={classNames(styles.upload, isBusy && styles.busy)}>
    {label}
    <input
      className="visually-hidden"
      type="file"
      accept={types}
      aria-label={`${label}: ${name}`}
      disabled={isBusy}
      onChange={({ target }) => {
        const [file] = target.files ?? [];
        // the same file can be chosen again
        target.value = '';
        if (file) onFile(file);
      }}
    />
  </label>
);
