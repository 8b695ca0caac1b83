-- Sitemaps and llms.txt, built by a job and compressed once.
create table site_documents (
  path text primary key constraint site_documents_path_check check (path ~ '^/[a-z0-9./-]+$'),
  etag text not null constraint site_documents_etag_check check (etag <> ''),
  br bytea not null constraint site_documents_br_check check (length(br) > 0),
  gzip bytea not null constraint site_documents_gzip_check check (length(gzip) > 0),
  built_at timestamptz not null
);
