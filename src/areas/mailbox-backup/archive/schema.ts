/** The tables of the database of a mailbox. The index finds parts of words, by groups of three characters. */
export const schema = `
  create table if not exists folders (
    id text primary key, path text not null, cursor text, round integer not null, is_full integer not null
  );
  create table if not exists messages (
    rowid integer primary key, id text not null unique, graph_id text not null unique, folder_id text not null,
    folder text not null, subject text not null, from_email text not null, from_name text not null,
    to_emails text not null, date text not null, has_attachments integer not null, importance text not null,
    is_read integer not null, status text not null, deleted_at text, fingerprint text not null,
    mime_hash text not null, mime_key text not null, mime_bytes integer not null, round integer not null
  );
  create index if not exists messages_by_folder on messages (folder_id, round);
  create index if not exists messages_by_date on messages (date desc, rowid desc);
  create index if not exists messages_by_mime on messages (mime_hash);
  create table if not exists attachments (
    id text primary key, message_id text not null references messages (id) on delete cascade, position integer not null,
    filename text not null, size integer not null, content_type text not null, hash text not null, s3_key text not null
  );
  create table if not exists left_out (
    id text primary key, graph_id text not null, folder_id text not null, reason text not null
  );
  create index if not exists attachments_by_message on attachments (message_id, position);
  create index if not exists attachments_by_hash on attachments (hash);
  create virtual table if not exists found using fts5(
    subject, from_email, from_name, content='messages', content_rowid='rowid', tokenize='trigram'
  );
  create trigger if not exists messages_inserted after insert on messages begin
    insert into found (rowid, subject, from_email, from_name)
      values (new.rowid, new.subject, new.from_email, new.from_name);
  end;
  create trigger if not exists messages_deleted after delete on messages begin
    insert into found (found, rowid, subject, from_email, from_name)
      values ('delete', old.rowid, old.subject, old.from_email, old.from_name);
  end;
  create trigger if not exists messages_updated after update of subject, from_email, from_name on messages begin
    insert into found (found, rowid, subject, from_email, from_name)
      values ('delete', old.rowid, old.subject, old.from_email, old.from_name);
    insert into found (rowid, subject, from_email, from_name)
      values (new.rowid, new.subject, new.from_email, new.from_name);
  end;
`
