import { failures, type Failures } from '../../../core/endpoint.ts'
import { fetchProblems } from '../../../host/fetch/index.ts'
import { gitProblems as git } from '../../../host/owner/git/index.ts'
import { listed } from '../failures.ts'

/** What reading a repository answers. */
export const reading: Readonly<Record<string, Failures>> = failures(listed, {
  bad_request: [git.BadPath, git.BadValue, git.UrlRefused, fetchProblems.AddressRefused],
  not_found: [git.NoSuchCommit, git.NoSuchRemote],
  not_a_repository: git.NotARepository,
  repository_refused: git.RepositoryRefused,
  vcs_failed: git.GitFailed,
})

/** What changing a repository answers besides. */
export const changing: Readonly<Record<string, Failures>> = failures(reading, {
  already_exists: git.RemoteTaken,
  conflict: git.InTheWay,
  nothing_to_commit: git.NothingToDo,
})

/** What beginning to reach another host answers; what it meets there the job tells. */
export const reaching: Readonly<Record<string, Failures>> = failures(changing, {
  host_not_found: fetchProblems.HostNotFound,
})
