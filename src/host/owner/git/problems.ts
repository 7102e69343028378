import Type from 'typebox'
import { problem } from '../../../core/problem.ts'

export const NotARepository = problem('not_a_repository', 409, 'The folder is not a git repository')
export const RepositoryRefused = problem(
  'repository_refused',
  409,
  'The repository has a configuration that the panel does not support',
  { fields: Type.Object({ key: Type.String({ description: 'The key of its configuration' }) }) },
)
export const NoSuchCommit = problem('not_found', 404, 'The repository has no such commit')
export const NoSuchRemote = problem('not_found', 404, 'The repository has no such remote')
export const RemoteTaken = problem('already_exists', 409, 'The repository has a remote of this name')
export const UrlRefused = problem('bad_request', 400, 'git may not use this URL here')
export const NothingToDo = problem('nothing_to_commit', 409, 'There is nothing to commit')
export const InTheWay = problem('conflict', 409, 'Local changes would be overwritten')
export const SignInRefused = problem('sign_in_refused', 403, 'The remote rejected the credentials')
export const ServerKeyChanged = problem('host_key_changed', 409, 'The host key of the remote has changed', {
  fields: Type.Object({
    server_fingerprint: Type.String({ description: 'Fingerprint of the key that it shows now' }),
  }),
})
export const Unreachable = problem('unreachable', 502, 'The remote is unreachable')
export const GitFailed = problem('vcs_failed', 500, 'git failed')
export const BadValue = problem('bad_request', 400, 'git rejected the value')
export const NoSuchBranch = problem('not_found', 404, 'The remote has no such branch')
export const BadPath = problem('bad_request', 400, 'The path cannot be used here')
export const Diverged = problem(
  'diverged',
  409,
  'The branches have diverged: each has commits that the other lacks',
)
