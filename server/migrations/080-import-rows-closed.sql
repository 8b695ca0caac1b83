-- Rows of a trade or country that takes no new listings invite no one.
alter table invitation_import_rows
  drop constraint invitation_import_rows_outcome_check,
  add constraint invitation_import_rows_outcome_check
    check (outcome in ('invite', 'invited', 'member', 'refused', 'duplicate', 'closed', 'invalid')) not valid;
