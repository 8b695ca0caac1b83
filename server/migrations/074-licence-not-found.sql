-- That an administrator found nothing under a number is in the audit log too.
drop trigger licence_checks_audited on licence_checks;
create constraint trigger licence_checks_audited after update of checked_at on licence_checks deferrable initially deferred
  for each row when (new.checked_by = 'administrator' and new.checked_at is distinct from old.checked_at)
  execute function audit_change('{listing_id,register,number,state,problem,record_url,found_holder,found_class,found_status,ends_on}');
