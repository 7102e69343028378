import type { Static } from 'typebox'
import type {
  ChangedFile,
  Commit,
  Difference,
  FileState,
  Remote,
  RepositoryState,
  SignIn,
} from '../../../host/owner/git/index.ts'
import { pathFields } from '../paths.ts'
import type { Credentials, Diff, LogEntry, Status } from './model.ts'

/** The stored credentials and server key of a remote. */
export interface Kept {
  readonly signIn: SignIn | undefined
  readonly fingerprint: string | null
}

const maxFiles = 5000

/** Shows the state of a repository in a reply; paths are relative to the home. */
export function showStatus(state: RepositoryState, kept: ReadonlyMap<string, Kept>): Status {
  const { root, files } = state
  return {
    is_repository: true,
    root,
    branch: state.branch?.slice(0, 250) ?? null,
    head: state.head,
    upstream: state.upstream?.slice(0, 500) ?? null,
    ahead: state.ahead,
    behind: state.behind,
    operation: state.operation,
    files: files.slice(0, maxFiles).map((file) => showFile(root, file)),
    total: files.length,
    is_cut: state.isCut,
    branches: state.branches.map((name) => name.slice(0, 250)),
    remotes: state.remotes.map((remote) => showRemote(remote, kept.get(remote.name))),
    author: { name: line(state.author.name), email: line(state.author.email) },
  }
}

/** The reply for a folder that is not in a repository. */
export function showNone(path: string): Status {
  return {
    ...{
      is_repository: false,
      root: path.toWellFormed(),
      branch: null,
      head: null,
      upstream: null,
      ahead: 0,
      behind: 0,
    },
    ...{
      operation: 'none',
      files: [],
      total: 0,
      is_cut: false,
      branches: [],
      remotes: [],
      author: { name: '', email: '' },
    },
  }
}

/** Shows a diff in a reply. */
export function showDifference(root: string, { files, patch, isCut }: Difference): Static<typeof Diff> {
  return {
    files: files.map(({ path, oldPath, state, additions, deletions }) => ({
      ...named(root, path, oldPath),
      state,
      additions,
      deletions,
    })),
    patch,
    is_cut: isCut,
  }
}

/** Shows a commit in a reply. */
export function showCommit(commit: Commit): LogEntry {
  return {
    commit: commit.commit,
    parents: [...commit.parents],
    author_name: commit.authorName,
    author_email: commit.authorEmail,
    authored_at: commit.authoredAt,
    committer_name: commit.committerName,
    committed_at: commit.committedAt,
    refs: [...commit.refs],
    subject: commit.subject,
    body: commit.body,
  }
}

function showFile(
  root: string,
  { path, oldPath, staged, unstaged, isSubmodule }: ChangedFile,
): Status['files'][number] {
  return {
    ...named(root, path.replace(/\/$/, ''), oldPath),
    state: overall(staged, unstaged),
    staged,
    unstaged,
    is_submodule: isSubmodule,
  }
}

// The single state for a list: if the index and the working tree differ, the state of the file against the last commit.
function overall(staged: FileState, unstaged: FileState): FileState {
  if (staged === 'unmodified') return unstaged
  return unstaged === 'deleted' ? 'deleted' : staged
}

function named(root: string, path: string, oldPath: string | undefined) {
  const at = (each: string) => (root === '' ? each : `${root}/${each}`)
  return { ...pathFields(at(path)), ...(oldPath !== undefined && { old_path: at(oldPath).toWellFormed() }) }
}

function showRemote(
  { name, url, pushUrl, problem }: Remote,
  kept: Kept | undefined,
): Status['remotes'][number] {
  const { signIn, fingerprint = null } = kept ?? {}
  return {
    name,
    url,
    ...(pushUrl !== undefined && { push_url: pushUrl }),
    problem,
    credentials: signIn ? showSignIn(signIn) : null,
    server_fingerprint: fingerprint,
  }
}

function showSignIn({ login, password, privateKey }: SignIn): Credentials {
  return {
    login,
    ...(password !== undefined && { password }),
    ...(privateKey !== undefined && { private_key: privateKey }),
  }
}

const line = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 300)
