import styles from './save-card-box.module.css';

/** The holder's wish: a card is kept only where it was ticked. */
export const SaveCardBox = ({
  checked,
  disabled,
  onChange,
}: {
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}) => (
  <label className={styles.save}>
    <input type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
    <span>Save this card for next time</span>
  </label>
);
