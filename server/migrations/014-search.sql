-- The mean stars of each category in tenths of a star, updated daily, so that one review does not move a whole category.
create table category_means (
  category_code smallint primary key references categories,
  mean smallint not null check (mean between 10 and 50),
  changed_at timestamptz not null
);

-- Every word of the active listings, as written and as stems, that typing errors are corrected to; a nightly job removes unused ones.
create table search_vocabulary (
  word text collate "C" primary key
);
create index search_vocabulary_parts on search_vocabulary using gin (word gin_trgm_ops) with (fastupdate = off);

-- Adds the words of these listings in sorted order, so that concurrent transactions cannot deadlock.
create function add_to_vocabulary(ids uuid[]) returns void language sql as $$
  insert into search_vocabulary (word)
  select distinct word from listings, unnest(tsvector_to_array(search_document)) as word
  where id = any(ids) and position(':' in word) = 0 order by word
  on conflict do nothing
$$;

-- Adds missing words and removes those of no active listing; called after bulk loads and when words_in_order() changes.
create function rebuild_vocabulary() returns void language sql as $$
  insert into search_vocabulary (word)
  select distinct word from listings, unnest(tsvector_to_array(search_document)) as word
  where status = 'active' and position(':' in word) = 0 order by word
  on conflict do nothing;
  delete from search_vocabulary where not exists (
    select from listings where status = 'active' and search_document @@ quote_literal(search_vocabulary.word)::tsquery
  );
$$;
