/* oxlint-disable max-lines -- a table of schemas */
import Type, { type Static } from 'typebox'
import { OneOf, Optional, Prose, Reveal, Secret, Text, Time } from '../../../core/schemas.ts'
import { pathField, pathsField, ownerFields } from '../model.ts'

const repository = { ...ownerFields, ...pathField('path', 'Folder of the repository, or any folder in it') }

const Commit = Type.String({
  maxLength: 250,
  pattern: '^(?![-^])[^\\u0000-\\u0020\\u007f:?*\\[\\\\]+$',
  description: 'Commit, branch or tag',
  expects: 'a commit, a branch or a tag, which does not begin with -',
})
const Oid = Type.String({ maxLength: 64, pattern: '^[0-9a-f]{40,64}$', description: 'Id of a commit' })
const RemoteName = Type.String({
  maxLength: 100,
  pattern: '^(?!.*\\.lock(?:/|$))[A-Za-z0-9_][A-Za-z0-9_-]*(?:[./][A-Za-z0-9_-]+)*$',
  description: 'Name of the remote',
  expects: 'a name of letters, digits, _ and -, such as origin',
})
// git-check-ref-format(1)
const BranchName = Type.String({
  maxLength: 200,
  pattern:
    '^(?![-/.]|@$|HEAD$)(?!.*(?:\\.\\.|//|/\\.|@\\{|\\.lock(?:/|$)|[/.]$))[^\\u0000-\\u0020\\u007f~^:?*\\[\\\\]+$',
  description: 'Branch',
  expects: 'the name of a branch as git takes it, which does not begin with -',
})
const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'https://, http:// or ssh:// address, or user@host:path; without a password',
  expects: 'an address of at most 2000 characters',
})
const Fingerprint = Type.String({
  maxLength: 60,
  pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
  description: 'Fingerprint of the server’s ssh key, as ssh-keygen -l shows it',
  expects: 'a fingerprint such as SHA256:… with 43 characters after the colon',
})
const pathBytes = Optional(
  Type.String({ maxLength: 8192, description: 'The bytes of a path that is not UTF-8, in base64' }),
)

/** Credentials for the remote host. A masked value keeps the stored one. */
export const Credentials = Type.Object({
  login: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\u0000-\\u001f\\u007f]+$',
    description: 'User name for http and https; for ssh the address says it',
    default: 'git',
  }),
  password: Optional(Secret({ maxLength: 4000, description: 'Password or token, for http and https' })),
  private_key: Optional(
    Secret({
      maxLength: 20_000,
      description: 'Private key without a passphrase, as ssh-keygen writes it, for ssh',
    }),
  ),
})
export type Credentials = Static<typeof Credentials>

const reaching = {
  credentials: Optional(Credentials),
  remember: Type.Boolean({ default: false, description: 'Keep the credentials, sealed, for this remote' }),
  accept_fingerprint: Optional(Fingerprint),
}

const FileState = OneOf([
  'unmodified',
  'modified',
  'added',
  'deleted',
  'renamed',
  'copied',
  'type_changed',
  'untracked',
  'conflicted',
])

export const ChangedFile = Type.Object({
  path: Prose(8192, { description: 'Path in the home' }),
  path_b64: pathBytes,
  old_path: Optional(Prose(8192, { description: 'Where a renamed or copied file was' })),
  state: FileState,
  staged: Type.Unsafe<Static<typeof FileState>>({
    ...FileState,
    description: 'What the next commit has of it already',
  }),
  unstaged: Type.Unsafe<Static<typeof FileState>>({
    ...FileState,
    description: 'What differs from that in the folder',
  }),
  is_submodule: Type.Boolean(),
})

export const Remote = Type.Object({
  name: Text(250),
  url: Prose(2000, { description: 'Without whoever stands before the host' }),
  push_url: Optional(Prose(2000)),
  problem: Type.Union([Prose(600), Type.Null()], {
    description: 'Why the panel does not use it; null where it does',
  }),
  credentials: Type.Union([Credentials, Type.Null()], { description: 'What is kept for it, masked' }),
  server_fingerprint: Type.Union([Fingerprint, Type.Null()], {
    description: 'The ssh key that the server must show; null before the first contact',
  }),
})

export const Status = Type.Object({
  is_repository: Type.Boolean({ description: 'Where false, nothing but root is meant' }),
  root: Prose(8192, { description: 'Folder of the repository in the home' }),
  branch: Type.Union([Text(250), Type.Null()], { description: 'null where no branch is checked out' }),
  head: Type.Union([Oid, Type.Null()], { description: 'null before the first commit' }),
  upstream: Type.Union([Text(500), Type.Null()], { description: 'Branch of a remote that this one follows' }),
  ahead: Type.Integer({ minimum: 0, description: 'Commits that the upstream lacks' }),
  behind: Type.Integer({ minimum: 0, description: 'Commits that are only upstream, as of the last pull' }),
  operation: OneOf(['none', 'merge', 'rebase', 'cherry_pick', 'revert', 'am', 'bisect'], {
    description: 'What was begun and not ended',
  }),
  files: Type.Array(ChangedFile, { maxItems: 5000 }),
  total: Type.Integer({ minimum: 0, description: 'Changed files, also those beyond the first 5000' }),
  is_cut: Type.Boolean({ description: 'Whether there are more changed files than were counted' }),
  branches: Type.Array(Text(250), {
    maxItems: 500,
    description: 'Local branches, the last committed to first',
  }),
  remotes: Type.Array(Remote, { maxItems: 50 }),
  author: Type.Object(
    { name: Text(300), email: Text(300) },
    { description: 'Who commits where the call does not say' },
  ),
})
export type Status = Static<typeof Status>

export const StatusQuery = Type.Object({ ...repository, reveal: Reveal })

export const InitBody = Type.Object({
  ...repository,
  branch: Type.Unsafe<string>({ ...BranchName, default: 'main', description: 'First branch' }),
})

export const Initialised = Type.Object({ path: Prose(8192), path_b64: pathBytes, branch: Text(200) })

export const CloneBody = Type.Object({
  ...ownerFields,
  ...pathField('path', 'Folder that it becomes: new, or empty'),
  url: Url,
  branch: Optional(BranchName),
  depth: Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Only so many last commits',
      expects: 'a number of commits from 1',
    }),
  ),
  ...reaching,
})

export const CommitBody = Type.Object({
  ...repository,
  message: Type.String({
    minLength: 1,
    maxLength: 50_000,
    pattern: '^(?=[\\s\\S]*\\S)[^\\u0000]*$',
    description: 'What the commit does',
    expects: 'text of 1 to 50000 characters without NUL',
  }),
  author_name: Optional(
    Text(200, {
      minLength: 1,
      description: 'Who wrote it; default: the repository’s user.name, else the caller',
    }),
  ),
  author_email: Optional(Text(254, { minLength: 1 })),
  ...pathsField('paths'),
  all: Type.Boolean({
    default: false,
    description: 'Everything that changed; without it and without paths what is staged',
  }),
})

export const Committed = Type.Object({
  commit: Oid,
  subject: Prose(2000),
  files: Type.Integer({ minimum: 0, description: 'Files that it changes' }),
})

export const PullBody = Type.Object({
  ...repository,
  remote: Optional(RemoteName),
  branch: Optional(BranchName),
  strategy: OneOf(['ff_only', 'merge'], {
    default: 'ff_only',
    description: 'merge: also where both sides have commits; undone where they conflict',
  }),
  ...reaching,
})

export const PushBody = Type.Object({
  ...repository,
  remote: Optional(RemoteName),
  branch: Optional(BranchName),
  tags: Type.Boolean({ default: false, description: 'Tags too' }),
  set_upstream: Type.Boolean({
    default: true,
    description: 'Let the branch follow what it is pushed to, where it follows nothing yet',
  }),
  force_with_lease: Type.Boolean({
    default: false,
    description: 'Replace commits there, where they are those of the last pull',
  }),
  ...reaching,
})

export const RemoteBody = Type.Object({
  ...repository,
  action: OneOf(['add', 'set_url', 'remove', 'set_credentials', 'forget_credentials', 'forget_fingerprint']),
  name: RemoteName,
  url: Optional(Url),
  credentials: Optional(Credentials),
})

export const RevertBody = Type.Object({
  ...repository,
  commit: Optional(Commit),
  ...pathsField('paths'),
  all: Type.Boolean({ default: false, description: 'Discard every change that is not committed' }),
})

export const Reverted = Type.Object({
  commit: Type.Union([Oid, Type.Null()], { description: 'The new commit that takes the other back' }),
  discarded: Type.Integer({ minimum: 0, description: 'Files that are again as committed' }),
  trashed: Type.Integer({ minimum: 0, description: 'Files that no commit has: they are in the trash' }),
})

const FileDifference = Type.Object({
  path: Prose(8192),
  path_b64: pathBytes,
  old_path: Optional(Prose(8192)),
  state: FileState,
  additions: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Lines; null for binary files',
  }),
  deletions: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
})

const difference = {
  files: Type.Array(FileDifference, { maxItems: 5000 }),
  patch: Prose(4 * 1024 * 1024, {
    description: 'Unified diff, at most 1 MiB of it; bytes that are not UTF-8 are replaced',
  }),
  is_cut: Type.Boolean({ description: 'Whether there is more than is here' }),
}

export const DiffQuery = Type.Object({
  ...repository,
  ...pathField('file', 'One file or folder, from the home'),
  staged: Type.Boolean({
    default: false,
    description: 'What the next commit would have, in place of what the folder has',
  }),
  from: Optional(Commit),
  to: Optional(Commit),
  context: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 3,
    description: 'Unchanged lines around',
    expects: 'a number of lines from 0 to 1000',
  }),
})

export const Diff = Type.Object(difference)

const commit = {
  commit: Oid,
  parents: Type.Array(Oid, { maxItems: 100 }),
  author_name: Text(300),
  author_email: Text(300),
  authored_at: Time,
  committer_name: Text(300),
  committed_at: Time,
  refs: Type.Array(Text(300), { maxItems: 100, description: 'Branches and tags that stand there' }),
  subject: Prose(2000),
  body: Prose(20_000),
}

export const LogQuery = Type.Object({
  ...repository,
  ...pathField('file', 'Only commits that changed this, from the home'),
  ref: Optional(Commit),
})
export const LogEntry = Type.Object(commit)
export type LogEntry = Static<typeof LogEntry>

export const ShowQuery = Type.Object({
  ...repository,
  commit: Commit,
  ...pathField('file', 'One file or folder, from the home'),
})
export const Shown = Type.Object({ ...commit, ...difference })
