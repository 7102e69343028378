import Type from 'typebox'
import { problem } from '../../../core/problem.ts'

export const NotARepository = problem('not_a_repository', 409, 'The folder is under no version control')
export const RepositoryRefused = problem(
  'repository_refused',
  409,
  'The repository is set up in a way that the panel does not follow',
  { fields: Type.Object({ key: Type.String({ description: 'The key of its configuration' }) }) },
)
export const NoSuchCommit = problem('not_found', 404, 'The repository has no such commit')
export const NoSuchRemote = problem('not_found', 404, 'The repository has no such remote')
export const RemoteTaken = problem('already_exists', 409, 'The repository has a remote of this name')
export const UrlRefused = problem('bad_request', 400, 'The address is not one that git may use here')
export const NothingToDo = problem('nothing_to_commit', 409, 'There is nothing to commit')
export const InTheWay = problem('conflict', 409, 'Local changes are in the way')
export const SignInRefused = problem('sign_in_refused', 403, 'The other side refuses these credentials')
export const ServerKeyChanged = problem(
  'host_key_changed',
  409,
  'The other side shows another key than before',
  {
    fields: Type.Object({
      server_fingerprint: Type.String({ description: 'Fingerprint of the key that it shows now' }),
    }),
  },
)
export const Unreachable = problem('unreachable', 502, 'The other side cannot be reached')
export const GitFailed = problem('vcs_failed', 500, 'git could not do it')
export const BadValue = problem('bad_request', 400, 'git does not take these words')
export const NoSuchBranch = problem('not_found', 404, 'The other side has no such branch')
export const BadPath = problem('bad_request', 400, 'The path is not one that this can work on')
export const Diverged = problem('diverged', 409, 'Both sides have commits that the other lacks')
